import { type Database, firstRow } from "../db/rows.ts";

/** What is measured of all plugins together. */
export interface PluginCounts {
  /** Events that wait for ingest. */
  readonly waitingEvents: number;
  /** Commands that wait to be taken, and those that wait for their outcome. */
  readonly waiting: number;
  readonly taken: number;
  /** Game servers whose plugin is connected. */
  readonly connected: number;
}

export async function readPluginCounts(database: Database): Promise<PluginCounts> {
  const counts = await firstRow<PluginCounts>(
    database,
    `select
       (select coalesce(sum(events), 0)::integer from plugin_inbox) as "waitingEvents",
       (select count(*)::integer from plugin_commands where state = 'waiting') as waiting,
       (select count(*)::integer from plugin_commands where state = 'taken') as taken,
       (select count(*)::integer from plugin_sessions where alive_until > clock_timestamp())
         as connected`,
  );
  if (!counts) throw new Error("a select of one row answered none");
  return counts;
}
