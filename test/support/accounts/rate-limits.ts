import { type DatabaseHolder, query } from "../database/query.ts";

/** Resets the counters of all limits. */
export const forgetAllLimits = async (on: DatabaseHolder): Promise<void> =>
  void (await query(on, "truncate rate_limits"));

/** Resets the counters of one limit. */
export const forgetLimit = async (on: DatabaseHolder, name: string): Promise<void> =>
  void (await query(on, "delete from rate_limits where key like $1", `${name}:%`));

/** Returns the keys of counters that match an SQL pattern. */
export async function limitKeys(on: DatabaseHolder, pattern = "%"): Promise<string[]> {
  const text = "select key from rate_limits where key like $1 order by key";
  return (await query<{ key: string }>(on, text, pattern)).map(({ key }) => key);
}
