import type { Config } from "../config/config.ts";
import type { SchemaLock } from "../db/connection/schema-lock.ts";
import { rows } from "../db/rows.ts";
import type { Logger } from "../log.ts";
import { type PgBossClient, createPgBoss } from "./queue.ts";
import { type QueueSpec, queues } from "./queues.ts";

/** Creates pg-boss's schema, the queues and their schedules during a release. */
export async function installQueues(config: Config, log: Logger, held: SchemaLock): Promise<void> {
  const boss = createPgBoss(config, log, { migrates: true });
  await boss.start();
  try {
    for (const [name, spec] of Object.entries(queues)) {
      await installQueue(boss, name, spec);
    }
    await installPauseTrigger(held);
    await emptyQueueHistory(held, log);
  } finally {
    await boss.stop({ graceful: false });
  }
}

async function installQueue(
  boss: PgBossClient,
  name: string,
  spec: QueueSpec<unknown>,
): Promise<void> {
  const options = {
    retryLimit: spec.retries,
    retryDelay: spec.retryDelaySeconds,
    retryBackoff: true,
    ...(spec.retryDelayMaxSeconds && { retryDelayMax: spec.retryDelayMaxSeconds }),
    expireInSeconds: spec.expireSeconds,
    heartbeatSeconds: 10,
    notify: true,
  };
  const known = await boss.getQueue(name);
  // pg-boss cannot change a policy, so a queue whose jobs may be lost is created again.
  if (known && spec.isRemadeForPolicy && known.policy !== spec.policy) await boss.deleteQueue(name);
  // `createQueue` does not change an existing queue, and `partition` cannot be changed at all.
  await boss.createQueue(name, { ...options, policy: spec.policy, partition: spec.partition });
  await boss.updateQueue(name, options);
  if (spec.cron) await boss.schedule(name, spec.cron, {}, { tz: "UTC", missed: "once" });
  else await boss.unschedule(name);
}

/**
 * Empties history tables that only earlier releases use. An older release may still write to the current day's
 * table, so each truncation waits at most one second. The next release retries tables that were busy.
 */
async function emptyQueueHistory({ sequelize }: SchemaLock, log: Logger): Promise<void> {
  const days = await rows<{ day: string }>(sequelize, daysSql);
  for (const { day } of days) {
    try {
      // Statements that are sent together form one transaction.
      await rows(sequelize, `set local lock_timeout = '1s'; truncate ${day}`);
    } catch (error) {
      log.warn(
        { err: error, table: day },
        "a table of the queues' history is in use: the next release empties it",
      );
    }
  }
}

const daysSql = `
  select inhrelid::regclass::text as day from pg_inherits
  where inhparent = to_regclass('pgboss.queue_stats') and pg_relation_size(inhrelid) > 0`;

/**
 * Makes the database keep the jobs of a paused queue waiting. A worker learns of a pause later, or not at all if
 * its connection is lost, and would take jobs meanwhile.
 */
async function installPauseTrigger({ sequelize }: SchemaLock): Promise<void> {
  await rows(sequelize, functionSql);
  // CREATE TRIGGER waits for all current writers of jobs, so do it only once.
  if ((await rows(sequelize, triggerExistsSql)).length === 0) await rows(sequelize, triggerSql);
}

/**
 * The function's query sees newly committed pauses, which the snapshot of the statement that takes a job does not
 * contain.
 */
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
