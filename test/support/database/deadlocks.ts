import { type DatabaseHolder, query } from "./query.ts";

/** Returns the number of deadlocks since the database was created. */
export async function countDeadlocks(on: DatabaseHolder): Promise<number | undefined> {
  const [found] = await query<{ deadlocks: number }>(
    on,
    "select deadlocks::integer from pg_stat_database where datname = current_database()",
  );
  return found?.deadlocks;
}
