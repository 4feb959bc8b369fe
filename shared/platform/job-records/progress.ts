import type { Transaction } from "sequelize";

import { modelsOf } from "../db/transaction.ts";
import { notify } from "../notify/channels.ts";

/** How far a job has come: admins see it on the job and as `job.progress` on their stream. */
export interface Progress {
  readonly phase: string;
  readonly done: number;
  /** Null while nobody knows. */
  readonly total: number | null;
  /** What is counted. */
  readonly unit: ProgressUnit;
}

export const progressUnits = ["bytes", "files", "entries"] as const;
export type ProgressUnit = (typeof progressUnits)[number];

/** Thrown into a job that an admin cancelled, at its next report. */
export class JobCancelled extends Error {
  constructor() {
    super("the job was cancelled");
    this.name = "JobCancelled";
  }
}

/** Reports are written this seldom, but for the first of each phase. */
const leastMs = 1_000;

/**
 * Tells how far one job has come.
 * @throws when another attempt holds the run
 * @throws {JobCancelled} when the job was cancelled meanwhile
 */
export type ReportProgress = (
  phase: string,
  done: number,
  total?: number | null,
  unit?: ProgressUnit,
) => Promise<void>;

/** Does what the attempt alone may do that holds its run. @throws when it does not; nothing is done then */
type WhileHeld = (work: (transaction: Transaction) => Promise<void>) => Promise<void>;

export function createProgress(jobId: string, queue: string, whileHeld: WhileHeld): ReportProgress {
  let shown: { phase: string; at: number } | undefined;
  return async (phase, done, total = null, unit = "entries") => {
    const now = performance.now();
    if (shown?.phase === phase && now - shown.at < leastMs) return;
    shown = { phase, at: now };
    await whileHeld((transaction) =>
      write({ jobId, queue, phase, done, total, unit }, transaction),
    );
  };
}

interface Written extends Progress {
  readonly jobId: string;
  readonly queue: string;
}

async function write(progress: Written, transaction: Transaction): Promise<void> {
  await modelsOf(transaction).JobProgress.note(progress, transaction);
  await notify("stream_notices", { name: "job.progress", data: progress }, transaction);
}
