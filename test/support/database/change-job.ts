import { type DatabaseHolder, query } from "./query.ts";

export interface JobChanges {
  readonly state?: "active" | "cancelled" | "completed" | "failed" | "retry";
  /** The output of the last attempt. */
  readonly output?: object;
  /** The number of retries so far. */
  readonly retryCount?: number;
  /** The maximum number of retries. */
  readonly retryLimit?: number;
  /** Seconds until the job may start. Negative numbers mean the past. */
  readonly startsIn?: number;
}

/** Changes the row of a job in any queue. @throws if the job does not exist */
export async function changeJob(
  on: DatabaseHolder,
  id: string,
  changes: JobChanges,
): Promise<void> {
  const { state, output, retryCount, retryLimit, startsIn } = changes;
  const given = [state, output && JSON.stringify(output), retryCount, retryLimit, startsIn];
  const changed = await query(on, text, id, ...given.map((value) => value ?? null));
  if (changed.length === 0) throw new Error(`there is no job ${id}`);
}

const text = `
  update pgboss.job set state = coalesce($2::pgboss.job_state, state),
    started_on = case when $2 in ('active', 'retry') then now() else started_on end,
    completed_on = case when $2 in ('cancelled', 'completed', 'failed') then now()
      else completed_on end,
    output = coalesce($3::jsonb, output), retry_count = coalesce($4::integer, retry_count),
    retry_limit = coalesce($5::integer, retry_limit),
    start_after = coalesce(now() + make_interval(secs => $6::float8), start_after)
  where id = $1 returning id`;
