import { type OnDatabase, query } from "./query.ts";

export interface JobChanges {
  readonly state?: "cancelled" | "completed" | "failed";
  /** How often it is tried again. */
  readonly retryLimit?: number;
  /** It waits no longer. */
  readonly isDue?: true;
}

/** Changes a job in its queue, whoever works it. @throws when there is none */
export async function changeJob(on: OnDatabase, id: string, changes: JobChanges): Promise<void> {
  const { state = null, retryLimit = null, isDue = false } = changes;
  const text = `
    update pgboss.job set state = coalesce($2::pgboss.job_state, state),
      completed_on = case when $2 is null then completed_on else now() end,
      retry_limit = coalesce($3::integer, retry_limit),
      start_after = case when $4::boolean then now() else start_after end
    where id = $1 returning id`;
  const changed = await query(on, text, id, state, retryLimit, isDue);
  if (changed.length === 0) throw new Error(`there is no job ${id}`);
}
