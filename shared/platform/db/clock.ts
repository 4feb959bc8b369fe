import { type Database, firstRow } from "./rows.ts";

/** The database's time: processes differ in what time it is. */
export async function readClock(database: Database): Promise<Date> {
  const row = await firstRow<{ now: Date }>(database, "select clock_timestamp() as now");
  return (row as { now: Date }).now;
}
