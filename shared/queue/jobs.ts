import { QueryTypes, type Sequelize, type Transaction } from "sequelize";

import type { Caller } from "../auth/caller.ts";
import type { Context } from "../context.ts";
import { sqlOf } from "../db/sql.ts";
import { inTransaction } from "../db/transaction.ts";
import { isUniqueViolation } from "../db/unique-violation.ts";
import { conflict, missing } from "../errors.ts";
import { recordActivity } from "../site/activity.ts";
import type { Progress } from "./progress.ts";
import { queues } from "./queues.ts";

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

/** A job as admins see it. What it answered may be a whole result. */
export interface JobView {
  readonly id: string;
  readonly queue: string;
  readonly state: JobState;
  /** What it carries; null where that is personal, or a queue that only a newer release knows. */
  readonly data: unknown;
  readonly output: unknown;
  readonly attempts: number;
  readonly retryLimit: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly progress: (Progress & { readonly startedAt: string; readonly updatedAt: string }) | null;
}

/** Within JSON the database writes a time its own way, not with a `Z`. */
const inUtc = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const selection = `
  select job.id, job.name as queue, job.state::text as state, job.data, job.output,
    job.retry_count + case when job.started_on is null then 0 else 1 end as attempts,
    job.retry_limit as "retryLimit", job.created_on as "createdAt",
    job.started_on as "startedAt", job.completed_on as "completedAt",
    case when progress.job_id is null then null else json_build_object(
      'phase', progress.phase, 'done', progress.done, 'total', progress.total,
      'startedAt', ${inUtc("progress.started_at")}, 'updatedAt', ${inUtc("progress.updated_at")})
    end as progress
  from pgboss.job job left join job_progress progress on progress.job_id = job.id
  where job.name not like '\\_\\_pgboss%'`;

/** Jobs of a state, newest first. */
export async function listJobs(
  state: JobState,
  limit: number,
  sequelize: Sequelize,
): Promise<JobView[]> {
  const jobs = await sequelize.query<JobView>(
    `${selection} and job.state::text = $1 order by job.created_on desc, job.id limit $2`,
    { bind: [state, limit], type: QueryTypes.SELECT },
  );
  return jobs.map(hidePersonal);
}

/** @throws AppError 404 */
export async function readJob(id: string, sequelize: Sequelize): Promise<JobView> {
  const [job] = await sequelize.query<JobView>(`${selection} and job.id = $1`, {
    bind: [id],
    type: QueryTypes.SELECT,
  });
  if (!job) throw missing("Unknown job");
  return hidePersonal(job);
}

function hidePersonal(job: JobView): JobView {
  const known: Readonly<Record<string, { readonly isPersonal: boolean }>> = queues;
  return known[job.queue]?.isPersonal === false ? job : { ...job, data: null };
}

/**
 * Runs a failed or cancelled job again.
 * @throws AppError 409 for one that is in another state, or beside an equal one of an exclusive queue
 */
export const retryJob = (id: string, caller: Caller, context: Context): Promise<JobView> =>
  change(id, caller, context, {
    action: "job.retried",
    from: ["failed", "cancelled"],
    move: (job, transaction) => context.queue.retry(job.queue, job.id, transaction),
  });

/** Takes a job back that waits or runs; a running one ends at its next report. */
export const cancelJob = (id: string, caller: Caller, context: Context): Promise<JobView> =>
  change(id, caller, context, {
    action: "job.cancelled",
    from: ["created", "retry", "active"],
    move: (job, transaction) => context.queue.cancel(job.queue, job.id, transaction),
  });

interface Change {
  readonly action: string;
  readonly from: readonly JobState[];
  readonly move: (job: JobView, transaction: Transaction) => Promise<void>;
}

async function change(
  id: string,
  caller: Caller,
  { sequelize }: Context,
  { action, from, move }: Change,
): Promise<JobView> {
  const job = await readJob(id, sequelize);
  const target = { type: "job", id };
  const line = { actorId: caller.userId, action, target, detail: { queue: job.queue } };
  await inTransaction(sequelize, async (transaction) => {
    const state = await lockJob(id, transaction);
    if (!from.includes(state)) throw conflict(`The job is ${state}`);
    await move(job, transaction).catch(refuseEqual);
    await recordActivity(line, transaction);
  });
  return readJob(id, sequelize);
}

/** Its state, which no worker changes until the transaction ends. */
async function lockJob(id: string, transaction: Transaction): Promise<JobState> {
  const { rows } = await sqlOf(transaction).query<{ state: JobState }>(
    "select state::text as state from pgboss.job where id = $1 for update",
    [id],
  );
  if (!rows[0]) throw missing("Unknown job");
  return rows[0].state;
}

/** An exclusive queue takes no job beside an equal one. */
function refuseEqual(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  throw conflict("An equal job waits or runs already");
}
