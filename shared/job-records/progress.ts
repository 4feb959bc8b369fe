import type { Context } from "../context.ts";
import { firstRow } from "../db/rows.ts";
import { inTransaction } from "../db/transaction.ts";
import { notify } from "../notify/notify.ts";
import type { LockedJob } from "./lock-job.ts";

/**
 * How far a job has come: admins see it on the job and as `job.progress` on their stream.
 *
 * @openapi
 * components:
 *   schemas:
 *     JobProgress:
 *       type: object
 *       nullable: true
 *       additionalProperties: false
 *       required: [phase, done, total, unit, startedAt, updatedAt]
 *       properties:
 *         phase: { type: string }
 *         done: { type: integer }
 *         total: { type: integer, nullable: true, description: Null while nobody knows. }
 *         unit: { $ref: '#/components/schemas/ProgressUnit' }
 *         startedAt: { type: string, format: date-time }
 *         updatedAt: { type: string, format: date-time }
 */
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

/** Tells how far one job has come. @throws {JobCancelled} when the job was cancelled meanwhile */
export type ReportProgress = (
  phase: string,
  done: number,
  total?: number | null,
  unit?: ProgressUnit,
) => Promise<void>;

/**
 * @openapi
 * components:
 *   schemas:
 *     JobProgressNotice:
 *       type: object
 *       required: [jobId, queue, phase, done, total, unit]
 *       properties:
 *         jobId: { type: string, format: uuid }
 *         queue: { type: string, example: imports.atlas }
 *         phase: { type: string, example: spawners }
 *         done: { type: integer }
 *         total: { type: integer, nullable: true, description: Null while nobody knows. }
 *         unit: { $ref: '#/components/schemas/ProgressUnit' }
 */
export function createProgress(jobId: string, queue: string, context: Context): ReportProgress {
  let shown: { phase: string; at: number } | undefined;
  return async (phase, done, total = null, unit = "entries") => {
    const now = performance.now();
    if (shown?.phase === phase && now - shown.at < leastMs) return;
    shown = { phase, at: now };
    await write({ jobId, queue, phase, done, total, unit }, context);
  };
}

interface Written extends Progress {
  readonly jobId: string;
  readonly queue: string;
}

async function write(progress: Written, { sequelize, models }: Context): Promise<void> {
  const { jobId, queue } = progress;
  const isCancelled = await inTransaction(sequelize, async (transaction) => {
    await models.JobProgress.note(progress, transaction);
    await notify("stream_notices", { name: "job.progress", data: progress }, transaction);
    const job = await firstRow<Pick<LockedJob, "state">>(
      transaction,
      "select state::text as state from pgboss.job where name = $1 and id = $2",
      [queue, jobId],
    );
    return job?.state === "cancelled";
  });
  if (isCancelled) throw new JobCancelled();
}
