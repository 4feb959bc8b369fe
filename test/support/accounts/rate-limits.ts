import { type OnDatabase, query } from "../database/query.ts";

/** Has every limit count from nothing. */
export const forgetAllLimits = async (on: OnDatabase): Promise<void> =>
  void (await query(on, "truncate rate_limits"));

/** Has a limit count from nothing, whoever reached it. */
export const forgetLimit = async (on: OnDatabase, name: string): Promise<void> =>
  void (await query(on, "delete from rate_limits where key like $1", `${name}:%`));

/** What is counted by, of keys of this pattern of SQL. */
export async function limitKeys(on: OnDatabase, pattern = "%"): Promise<string[]> {
  const text = "select key from rate_limits where key like $1 order by key";
  return (await query<{ key: string }>(on, text, pattern)).map(({ key }) => key);
}
