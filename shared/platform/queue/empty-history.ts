import { rows } from "../db/rows.ts";
import type { HeldSchema } from "../db/schema/hold-schema.ts";
import type { Logger } from "../log.ts";

/**
 * Empties the history of queues that earlier releases wrote and nobody read. One day's table is
 * emptied at a time and waits a second at most, for an older release may still write to that of
 * today; what is busy is left to the next release.
 */
export async function emptyQueueHistory({ sequelize }: HeldSchema, log: Logger): Promise<void> {
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
