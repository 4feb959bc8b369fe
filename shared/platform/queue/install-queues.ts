import type { Config } from "../config/config.ts";
import type { HeldSchema } from "../db/connection/schema-lock.ts";
import { rows } from "../db/rows.ts";
import type { Logger } from "../log.ts";
import { type Boss, createBoss } from "./queue.ts";
import { type QueueSpec, queues } from "./queues.ts";

/**
 * Makes pg-boss's own schema, every queue of the catalogue and their schedules.
 * Part of the release: the processes themselves never change a schema.
 */
export async function installQueues(config: Config, log: Logger, held: HeldSchema): Promise<void> {
  const boss = createBoss(config, log, { migrates: true });
  await boss.start();
  try {
    for (const [name, spec] of Object.entries(queues)) {
      await installQueue(boss, name, spec);
    }
    await keepPausedJobs(held);
    await emptyQueueHistory(held, log);
  } finally {
    await boss.stop({ graceful: false });
  }
}

async function installQueue(boss: Boss, name: string, spec: QueueSpec<unknown>): Promise<void> {
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
  // A policy can never change: the queue is made anew where its jobs may be lost.
  if (known && spec.isRemadeForPolicy && known.policy !== spec.policy) await boss.deleteQueue(name);
  // createQueue leaves an existing queue as it is; partition can never change either.
  await boss.createQueue(name, { ...options, policy: spec.policy, partition: spec.partition });
  await boss.updateQueue(name, options);
  if (spec.cron) await boss.schedule(name, spec.cron, {}, { tz: "UTC", missed: "once" });
  else await boss.unschedule(name);
}

/**
 * Empties the history of queues that earlier releases wrote and nobody read. One day's table is
 * emptied at a time and waits a second at most, for an older release may still write to that of
 * today; what is busy is left to the next release.
 */
async function emptyQueueHistory({ sequelize }: HeldSchema, log: Logger): Promise<void> {
  const days = await rows<{ day: string }>(sequelize, daysSql);
  for (const { day } of days) {
    try {
      // Several statements sent at once are one transaction.
      await rows(sequelize, `set local lock_timeout = '1s'; truncate ${day}`);
    } catch (error) {
      log.warn({ err: error, table: day }, "the history of queues is busy and stays");
    }
  }
}

/** Those that hold rows. */
const daysSql = `
  select inhrelid::regclass::text as day from pg_inherits
  where inhparent = to_regclass('pgboss.queue_stats') and pg_relation_size(inhrelid) > 0`;

/**
 * Has the database itself keep the jobs of a paused queue: a worker hears of a pause a moment later,
 * or not at all while its connection is lost, and would take what came in between. To whoever asks for
 * the next job there is none.
 */
async function keepPausedJobs({ sequelize }: HeldSchema): Promise<void> {
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
