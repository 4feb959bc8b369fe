import { type DatabaseHolder, query } from "./query.ts";

/**
 * Returns all values of a table as one text, in which a test looks for secrets. Columns without a
 * model are included.
 * @throws if the table is empty, because then the search would prove nothing
 */
export async function textOfTable(on: DatabaseHolder, table: string): Promise<string> {
  const text = `select string_agg(t::text, e'\\n') as text from ${table} t`;
  const [held] = await query<{ text: string | null }>(on, text);
  if (!held?.text) throw new Error(`${table} is empty`);
  return held.text;
}
