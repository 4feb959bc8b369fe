import { type OnDatabase, query } from "./query.ts";

/** How often statements of the database waited for each other in a circle, since it was made. */
export async function countDeadlocks(on: OnDatabase): Promise<number | undefined> {
  const [found] = await query<{ deadlocks: number }>(
    on,
    "select deadlocks::integer from pg_stat_database where datname = current_database()",
  );
  return found?.deadlocks;
}
