import { type OnDatabase, query } from "./query.ts";

/**
 * All that the rows of a table hold, also in columns that no model names, to look for what must not
 * stand there.
 * @throws when there is no row: every secret is absent from an empty table
 */
export async function textOfTable(on: OnDatabase, table: string): Promise<string> {
  const text = `select string_agg(t::text, e'\\n') as text from ${table} t`;
  const [held] = await query<{ text: string | null }>(on, text);
  if (!held?.text) throw new Error(`${table} is empty`);
  return held.text;
}
