import { countChanged, type Database } from "./rows.ts";

/**
 * Tells the planner what was written, in the transaction that shows it: by the statistics of before
 * a large table holds next to nothing, and joins over it are made row by row, until the database
 * looks at it in its own time.
 * @param tables each with the columns that reads join and choose by, where others are long
 */
export async function analyze(tables: readonly string[], database: Database): Promise<void> {
  await countChanged(database, `analyze ${tables.join(", ")}`);
}
