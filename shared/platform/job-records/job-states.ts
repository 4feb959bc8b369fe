import type { Transaction } from "sequelize";

import { firstRow } from "../db/rows.ts";

export const jobStates = [
  "created",
  "retry",
  "active",
  "completed",
  "cancelled",
  "failed",
] as const;
export type JobState = (typeof jobStates)[number];

/** A job's row, locked until the transaction ends. */
export interface LockedJob {
  readonly state: JobState;
  readonly retryCount: number;
}

/**
 * Locks a job. When an attempt fails, pg-boss deletes and reinserts the row. A lock that waits during this finds
 * no row, so it is retried while the job exists.
 */
export async function lockJob(
  id: string,
  strength: "update" | "share",
  transaction: Transaction,
): Promise<LockedJob | null> {
  for (;;) {
    const locked = await firstRow<LockedJob>(
      transaction,
      `select state::text as state, retry_count as "retryCount"
       from pgboss.job where id = $1 for ${strength}`,
      [id],
    );
    if (locked) return locked;
    const sql = "select id from pgboss.job where id = $1";
    if (!(await firstRow(transaction, sql, [id]))) return null;
  }
}

/** An attempt that has ended, as known to the process that ran it. */
export interface EndedJobAttempt {
  readonly jobId: string;
  readonly retryCount: number;
}

/** True if the attempt is still the job's current one. A lost attempt may end after its retry began. */
export const isCurrentAttempt = (job: LockedJob | null, { retryCount }: EndedJobAttempt): boolean =>
  // An attempt that takes too long is marked as failed while it still runs.
  (job?.state === "active" || job?.state === "failed") && job.retryCount === retryCount;

/** Locks the job and returns true if the attempt is still the job's current one. */
export const lockCurrentAttempt = async (
  attempt: EndedJobAttempt,
  transaction: Transaction,
): Promise<boolean> =>
  isCurrentAttempt(await lockJob(attempt.jobId, "share", transaction), attempt);
