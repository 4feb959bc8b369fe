import type { Transaction } from "sequelize";

import { modelsOf } from "../db/transaction.ts";
import { notify } from "../notify/channels.ts";

/** The progress of a job. Administrators see it with the job, and as `job.progress` in their stream. */
export interface Progress {
  readonly phase: string;
  readonly done: number;
  /** Null while the total is unknown. */
  readonly total: number | null;
  readonly unit: ProgressUnit;
}

export const progressUnits = ["bytes", "files", "entries"] as const;
export type ProgressUnit = (typeof progressUnits)[number];

/** Thrown by the next progress report after a job was cancelled. */
export class JobCancelledError extends Error {
  constructor() {
    super("the job was cancelled");
    this.name = "JobCancelledError";
  }
}

/** Minimum time between two stored reports. The first report of each phase is always stored. */
const reportIntervalMs = 1_000;

/**
 * @throws if another attempt has taken over the import
 * @throws {JobCancelledError} if the job was cancelled
 */
export type ProgressReporter = (
  phase: string,
  done: number,
  total?: number | null,
  unit?: ProgressUnit,
) => Promise<void>;

/** Runs work only while the attempt holds the lease of the import. Otherwise throws and changes nothing. */
type RunIfHeld = (work: (transaction: Transaction) => Promise<void>) => Promise<void>;

export function createProgressReporter(
  jobId: string,
  queue: string,
  whileHeld: RunIfHeld,
): ProgressReporter {
  let shown: { phase: string; at: number } | undefined;
  return async (phase, done, total = null, unit = "entries") => {
    const now = performance.now();
    if (shown?.phase === phase && now - shown.at < reportIntervalMs) return;
    shown = { phase, at: now };
    await whileHeld((transaction) =>
      write({ jobId, queue, phase, done, total, unit }, transaction),
    );
  };
}

interface ProgressRow extends Progress {
  readonly jobId: string;
  readonly queue: string;
}

async function write(progress: ProgressRow, transaction: Transaction): Promise<void> {
  await modelsOf(transaction).JobProgress.store(progress, transaction);
  await notify("stream_notices", { name: "job.progress", data: progress }, transaction);
}
