import type { PgBoss } from "pg-boss";

import type { Logger } from "../log.ts";

/**
 * Empties the history of queues that earlier releases wrote and nobody read. One day's table is
 * emptied at a time and waits a second at most, for an older release may still write to that of
 * today; what is busy is left to the next release.
 */
export async function emptyQueueHistory(boss: PgBoss, log: Logger): Promise<void> {
  const database = boss.getDb();
  const { rows: days }: { rows: { day: string }[] } = await database.executeSql(daysSql);
  for (const { day } of days) {
    try {
      // Several statements sent at once are one transaction.
      await database.executeSql(`set local lock_timeout = '1s'; truncate ${day}`);
    } catch (error) {
      log.warn({ err: error, table: day }, "the history of queues is busy and stays");
    }
  }
}

/** Those that hold rows. */
const daysSql = `
  select inhrelid::regclass::text as day from pg_inherits
  where inhparent = to_regclass('pgboss.queue_stats') and pg_relation_size(inhrelid) > 0`;
