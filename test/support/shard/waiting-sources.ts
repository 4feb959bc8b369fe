import { type DatabaseHolder, query } from "../database/query.ts";

/** Returns true if the ingest of a survival server waits for a lock. */
export async function sourceWaits(on: DatabaseHolder, serverId: number): Promise<boolean> {
  const waiting = await query(
    on,
    `select from pg_stat_activity where datname = current_database()
       and wait_event_type = 'Lock' and application_name like '%survival:' || $1::integer`,
    serverId,
  );
  return waiting.length > 0;
}
