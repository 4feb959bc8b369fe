import { QueryTypes, type Sequelize } from "sequelize";

import type { Caller } from "../auth/caller.ts";
import type { Context } from "../context.ts";
import { inTransaction } from "../db/transaction.ts";
import { conflict, missing } from "../errors.ts";
import { recordActivity } from "../site/activity.ts";
import type { Progress } from "./progress.ts";

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

/** A job as admins see it. What it carries are ids; what it answered may be a whole result. */
export interface JobView {
  readonly id: string;
  readonly queue: string;
  readonly state: JobState;
  readonly data: unknown;
  readonly output: unknown;
  readonly attempts: number;
  readonly retryLimit: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly progress: (Progress & { readonly startedAt: Date; readonly updatedAt: Date }) | null;
}

const selection = `
  select job.id, job.name as queue, job.state::text as state, job.data, job.output,
    job.retry_count + case when job.started_on is null then 0 else 1 end as attempts,
    job.retry_limit as "retryLimit", job.created_on as "createdAt",
    job.started_on as "startedAt", job.completed_on as "completedAt",
    case when progress.job_id is null then null else json_build_object(
      'phase', progress.phase, 'done', progress.done, 'total', progress.total,
      'startedAt', progress.started_at, 'updatedAt', progress.updated_at) end as progress
  from pgboss.job job left join job_progress progress on progress.job_id = job.id
  where job.name not like '\\_\\_pgboss%'`;

/** Jobs of a state, newest first. */
export function listJobs(state: JobState, limit: number, sequelize: Sequelize): Promise<JobView[]> {
  return sequelize.query<JobView>(
    `${selection} and job.state::text = $1 order by job.created_on desc, job.id limit $2`,
    { bind: [state, limit], type: QueryTypes.SELECT },
  );
}

/** @throws AppError 404 */
export async function readJob(id: string, sequelize: Sequelize): Promise<JobView> {
  const [job] = await sequelize.query<JobView>(`${selection} and job.id = $1`, {
    bind: [id],
    type: QueryTypes.SELECT,
  });
  if (!job) throw missing("Unknown job");
  return job;
}

/** Runs a failed or cancelled job again. @throws AppError 409 for one that is in another state */
export const retryJob = (id: string, caller: Caller, context: Context): Promise<JobView> =>
  change(id, caller, context, {
    action: "job.retried",
    from: ["failed", "cancelled"],
    move: (job) => context.queue.retry(job.queue, job.id),
  });

/** Takes a job back that waits or runs; a running one ends at its next report. */
export const cancelJob = (id: string, caller: Caller, context: Context): Promise<JobView> =>
  change(id, caller, context, {
    action: "job.cancelled",
    from: ["created", "retry", "active"],
    move: (job) => context.queue.cancel(job.queue, job.id),
  });

interface Change {
  readonly action: string;
  readonly from: readonly JobState[];
  readonly move: (job: JobView) => Promise<void>;
}

async function change(
  id: string,
  caller: Caller,
  context: Context,
  { action, from, move }: Change,
): Promise<JobView> {
  const { sequelize } = context;
  const job = await readJob(id, sequelize);
  if (!from.includes(job.state)) throw conflict(`The job is ${job.state}`);
  await move(job);
  await inTransaction(sequelize, async (transaction) => {
    const target = { type: "job", id };
    const detail = { queue: job.queue };
    await recordActivity({ actorId: caller.userId, action, target, detail }, transaction);
  });
  return readJob(id, sequelize);
}
