import { Op, type Sequelize, type Transaction } from "sequelize";

import type { Caller } from "../access/caller.ts";
import { recordActivity } from "../activity/activity.ts";
import type { Context } from "../context.ts";
import { type Database, firstRow, rows, isUniqueViolation } from "../db/rows.ts";
import { inCallersTransaction, modelsOf } from "../db/transaction.ts";
import { AppError, notFoundError } from "../errors/errors.ts";
import { type QueueName, queues } from "../queue/queues.ts";
import { type JobState, lockJob } from "./job-states.ts";
import type { Progress } from "./progress.ts";

export interface JobView {
  readonly id: string;
  readonly queue: string;
  readonly state: JobState;
  /** The payload; null if it is personal, or if only a newer release knows the queue. */
  readonly data: unknown;
  readonly output: unknown;
  readonly attempts: number;
  readonly retryLimit: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  /** The earliest time of the next attempt, for a waiting or failed job. */
  readonly nextTryAt: Date | null;
  readonly progress: (Progress & { readonly startedAt: string; readonly updatedAt: string }) | null;
}

/** Formats a time with a final `Z`, which PostgreSQL's JSON functions omit. */
const inUtc = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const selection = `
  select job.id, job.name as queue, job.state::text as state, job.data, job.output,
    job.retry_count + case when job.started_on is null then 0 else 1 end as attempts,
    job.retry_limit as "retryLimit", job.created_on as "createdAt",
    job.started_on as "startedAt", job.completed_on as "completedAt",
    case when job.state in ('created', 'retry') then job.start_after end as "nextTryAt",
    case when progress.job_id is null then null else json_build_object(
      'phase', progress.phase, 'done', progress.done, 'total', progress.total, 'unit', progress.unit,
      'startedAt', ${inUtc("progress.started_at")}, 'updatedAt', ${inUtc("progress.updated_at")})
    end as progress
  from pgboss.job job left join job_progress progress on progress.job_id = job.id
  where job.name not like '\\_\\_pgboss%'`;

export interface JobQuery {
  readonly state: JobState;
  readonly queue?: QueueName | undefined;
  readonly limit: number;
}

export interface JobList {
  /** Newest first. */
  readonly jobs: readonly JobView[];
  /**
   * The jobs grouped by error, only for states in which jobs have an error. The group with the newest failure
   * comes first.
   */
  readonly groups: readonly FailureGroup[];
}

/** All jobs of one queue and state with the same error, including those that are not listed. */
export interface FailureGroup {
  readonly queue: string;
  readonly error: string | null;
  readonly jobs: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly newestJobId: string;
}

const listFilterSql = "job.state::text = $1 and ($2::text is null or job.name = $2)";

export async function listJobs(
  { state, queue, limit }: JobQuery,
  sequelize: Sequelize,
): Promise<JobList> {
  const values = [state, queue ?? null];
  const [jobs, groups] = await Promise.all([
    rows<JobView>(
      sequelize,
      `${selection} and ${listFilterSql} order by job.created_on desc, job.id limit $3`,
      [...values, limit],
    ),
    state === "failed" || state === "retry" ? groupFailures(values, sequelize) : [],
  ]);
  return { jobs: jobs.map(hidePersonal), groups };
}

const mostGroups = 100;

/** SQL of a job's error message. pg-boss wraps its own errors about a lost worker or a timeout. */
const errorOf = "coalesce(output ->> 'message', output -> 'value' ->> 'message')";

function groupFailures(
  values: readonly (string | null)[],
  sequelize: Sequelize,
): Promise<FailureGroup[]> {
  return rows<FailureGroup>(
    sequelize,
    `select name as queue, ${errorOf} as error, count(*) as jobs,
       min(at) as "firstAt", max(at) as "lastAt",
       (array_agg(id order by created_on desc, id))[1] as "newestJobId"
     from (select job.*, coalesce(completed_on, started_on, created_on) as at
           from pgboss.job job where ${listFilterSql} and name not like '\\_\\_pgboss%') job
     group by 1, 2 order by max(at) desc limit ${mostGroups}`,
    values,
  );
}

export async function readJob(id: string, database: Database): Promise<JobView> {
  const job = await firstRow<JobView>(database, `${selection} and job.id = $1`, [id]);
  if (!job) throw notFoundError("Unknown job");
  return hidePersonal(job);
}

function hidePersonal(job: JobView): JobView {
  const known: Readonly<Record<string, { readonly isPersonal: boolean }>> = queues;
  return known[job.queue]?.isPersonal === false ? job : { ...job, data: null };
}

/**
 * Retries a failed or cancelled job.
 * @throws AppError 409 if it is in another state, or if an exclusive queue contains a job with the same key
 */
export const retryJob = (id: string, caller: Caller, context: Context): Promise<JobView> =>
  changeJobState(id, caller, context, {
    action: "job.retried",
    from: ["failed", "cancelled"],
    move: (job, transaction) => context.queue.retry(job.queue, [job.id], transaction),
  });

/**
 * Cancels a waiting or active job. A running import ends at its next progress report.
 * @throws AppError 409 for another state or a finished import
 */
export const cancelJob = (id: string, caller: Caller, context: Context): Promise<JobView> =>
  changeJobState(id, caller, context, {
    action: "job.cancelled",
    from: ["created", "retry", "active"],
    move: async (job, transaction) => {
      await refuseFinishedImport(job.id, transaction);
      await context.queue.cancel(job.queue, job.id, transaction);
    },
  });

/**
 * Throws if the job's import is finished. The job stays active until the queue learns of the end, but canceling
 * the job would have no effect.
 */
async function refuseFinishedImport(jobId: string, transaction: Transaction): Promise<void> {
  const { ImportRun } = modelsOf(transaction);
  const where = { jobId, finishedAt: { [Op.ne]: null } };
  if ((await ImportRun.count({ where, transaction })) === 0) return;
  throw new AppError("job_state", "The import is finished");
}

interface JobTransition {
  readonly action: string;
  readonly from: readonly JobState[];
  readonly move: (job: JobView, transaction: Transaction) => Promise<void>;
}

async function changeJobState(
  id: string,
  caller: Caller,
  { sequelize }: Context,
  { action, from, move }: JobTransition,
): Promise<JobView> {
  const job = await readJob(id, sequelize);
  const target = { type: "job", id };
  const line = { actor: caller, action, target, detail: { queue: job.queue } };
  return inCallersTransaction(sequelize, async (transaction) => {
    const locked = await lockJob(id, "update", transaction);
    if (!locked) throw notFoundError("Unknown job");
    const { state } = locked;
    if (!from.includes(state)) throw new AppError("job_state", `The job is ${state}`);
    await move(job, transaction).catch(refuseEqualJob);
    await recordActivity(line, transaction);
    // Read in the same transaction, before another transaction can change the job.
    return readJob(id, transaction);
  });
}

function refuseEqualJob(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  throw new AppError("job_is_queued", "A job for the same task is already waiting or running");
}
