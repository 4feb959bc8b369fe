import { type Database, firstRow } from "./rows.ts";

/** Returns the database's time, because the clocks of processes differ. */
export async function readClock(database: Database): Promise<Date> {
  const row = await firstRow<{ now: Date }>(database, "select clock_timestamp() as now");
  return (row as { now: Date }).now;
}
