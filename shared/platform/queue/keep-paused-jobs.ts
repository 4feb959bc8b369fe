import { rows } from "../db/rows.ts";
import type { HeldSchema } from "../db/schema/hold-schema.ts";

/**
 * Has the database itself keep the jobs of a paused queue: a worker hears of a pause a moment later,
 * or not at all while its connection is lost, and would take what came in between. To whoever asks for
 * the next job there is none.
 */
export async function keepPausedJobs({ sequelize }: HeldSchema): Promise<void> {
  await rows(sequelize, functionSql);
  // Making it waits for every job that is being written: only where it is missing.
  if ((await rows(sequelize, triggerExistsSql)).length === 0) await rows(sequelize, triggerSql);
}

/** Each look sees what is committed by then, unlike the statement that takes the job. */
const functionSql = `
  create or replace function keep_paused_jobs() returns trigger language plpgsql as '
  begin
    if exists (select from paused_queues where queue = new.name) then
      return null;
    end if;
    return new;
  end'`;

const triggerExistsSql = `
  select from pg_trigger where tgrelid = 'pgboss.job'::regclass and tgname = 'keep_paused_jobs'`;

const triggerSql = `
  create trigger keep_paused_jobs before update on pgboss.job for each row
    when (new.state = 'active' and old.state < 'active') execute function keep_paused_jobs()`;
