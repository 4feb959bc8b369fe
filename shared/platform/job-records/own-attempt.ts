import type { Transaction } from "sequelize";

import { type LockedJob, lockJob } from "./lock-job.ts";

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
