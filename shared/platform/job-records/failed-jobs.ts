import type { Transaction } from "sequelize";

import type { Caller } from "../access/caller.ts";
import { recordActivity } from "../activity/activity.ts";
import type { Context } from "../context.ts";
import { rows, isUniqueViolation, executeStatement } from "../db/rows.ts";
import { inCallersTransaction } from "../db/transaction.ts";
import { AppError } from "../errors/errors.ts";
import { findQueue, type QueueName, queues } from "../queue/queues.ts";

/**
 * Retries every failed job of a queue and returns their number. In an exclusive queue it retries only the
 * newest of the jobs with the same singleton key, and none if a waiting or active job has that key.
 * @throws AppError 404 for an unknown queue, 409 if a job with the same key is enqueued at the same moment
 */
export function retryFailedJobs(name: string, caller: Caller, context: Context): Promise<number> {
  const queue = findQueue(name);
  return changeFailed(
    { queue, action: "queue.failed_retried", caller },
    context,
    async (transaction) => {
      const jobs = await lockFailed(queue, transaction);
      const ids = await findRetryable(queue, jobs, transaction);
      if (ids.length > 0) await context.queue.retry(queue, ids, transaction).catch(refuseEqualJobs);
      return ids.length;
    },
  );
}

/** Deletes every failed job of a queue and returns their number. @throws AppError 404 if unknown */
export function discardFailedJobs(name: string, caller: Caller, context: Context): Promise<number> {
  const queue = findQueue(name);
  return changeFailed(
    { queue, action: "queue.failed_discarded", caller },
    context,
    async (transaction) => {
      const jobs = await lockFailed(queue, transaction);
      const ids = jobs.map(({ id }) => id);
      if (ids.length > 0) await context.queue.discard(queue, ids, transaction);
      await context.models.JobProgress.destroy({ where: { jobId: ids }, transaction });
      return ids.length;
    },
  );
}

interface FailedJobsAction {
  readonly queue: QueueName;
  readonly action: string;
  readonly caller: Caller;
}

function changeFailed(
  { queue, action, caller }: FailedJobsAction,
  { sequelize }: Context,
  work: (transaction: Transaction) => Promise<number>,
): Promise<number> {
  return inCallersTransaction(sequelize, async (transaction) => {
    const jobs = await work(transaction);
    const target = { type: "queue", id: queue };
    const line = { actor: caller, action, target, detail: { jobs } };
    if (jobs > 0) await recordActivity(line, transaction);
    return jobs;
  });
}

interface FailedJob {
  readonly id: string;
  readonly key: string;
  readonly isExclusive: boolean;
}

/** Returns the failed jobs, newest first, locked until the transaction ends. */
const lockFailed = (queue: QueueName, transaction: Transaction): Promise<FailedJob[]> =>
  rows<FailedJob>(
    transaction,
    `select id, coalesce(singleton_key, '') as key, policy = 'exclusive' as "isExclusive"
     from pgboss.job where name = $1 and state = 'failed'
     order by created_on desc, id for update`,
    [queue],
  );

/**
 * Returns the ids of the jobs to retry: in an exclusive queue, the newest of the jobs with the same singleton
 * key, if no job with that key waits or runs.
 */
async function findRetryable(
  queue: QueueName,
  jobs: readonly FailedJob[],
  transaction: Transaction,
): Promise<string[]> {
  const unfinished = await rows<Pick<FailedJob, "key">>(
    transaction,
    `select coalesce(singleton_key, '') as key from pgboss.job
     where name = $1 and state in ('created', 'retry', 'active') and policy = 'exclusive'`,
    [queue],
  );
  const taken = new Set(unfinished.map(({ key }) => key));
  return jobs
    .filter(({ key, isExclusive }) => {
      if (!isExclusive) return true;
      const isFirst = !taken.has(key);
      taken.add(key);
      return isFirst;
    })
    .map(({ id }) => id);
}

/** Refuses the retry if a job with the same singleton key was enqueued after the query for waiting jobs. */
function refuseEqualJobs(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  throw new AppError("job_is_queued", "A job for the same task is waiting now: try again");
}

/** Hours for which completed jobs are kept, because the page of queues counts the last hour. */
const retentionHours = 1;

/** The queue in which pg-boss itself keeps scheduled jobs. */
const scheduleQueue = "__pgboss__send-it";

const busyQueues = Object.entries(queues)
  .filter(([, { cron, isBrief }]) => cron !== undefined || isBrief)
  .map(([name]) => name);

/**
 * Deletes completed jobs of queues with many jobs: scheduled jobs, and those that `isBrief` marks.
 * pg-boss would keep them for a week, as it does with failed and cancelled jobs.
 */
export const pruneJobs = ({ sequelize }: Pick<Context, "sequelize">): Promise<number> =>
  executeStatement(
    sequelize,
    `delete from pgboss.job where name = any($1) and state = 'completed'
       and completed_on < now() - make_interval(hours => $2)`,
    [[...busyQueues, scheduleQueue], retentionHours],
  );
