import type { Transaction } from "sequelize";

import { firstRow } from "../db/rows.ts";

/** The states of a job, pg-boss's own words. */
export const jobStates = [
  "created",
  "retry",
  "active",
  "completed",
  "cancelled",
  "failed",
] as const;
export type JobState = (typeof jobStates)[number];

/** A job's row, which nobody changes until the transaction ends. */
export interface LockedJob {
  readonly state: JobState;
  /** How many attempts came before the one that it stands at. */
  readonly retryCount: number;
}

/**
 * Locks a job. When an attempt fails, pg-boss deletes the job's row and writes it anew: a lock that
 * waited for the end of that finds nothing, so it is asked for again while the job is there.
 * @returns null when there is no such job
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

/** The last attempt that a job was allowed, as the one that made it knows it. */
export interface EndedAttempt {
  readonly jobId: string;
  /** How many attempts came before it. */
  readonly retryCount: number;
}

/**
 * Whether a job stands at the attempt that ends. One that was believed lost may end after its job was
 * retried: it speaks for itself alone, and not for the attempt that waits or runs by then.
 */
export const standsAt = (job: LockedJob | null, { retryCount }: EndedAttempt): boolean =>
  // An attempt that took too long is failed before it ends.
  (job?.state === "active" || job?.state === "failed") && job.retryCount === retryCount;

/** The same of a job that nobody changes until the transaction ends. */
export const speaksForJob = async (
  attempt: EndedAttempt,
  transaction: Transaction,
): Promise<boolean> => standsAt(await lockJob(attempt.jobId, "share", transaction), attempt);
