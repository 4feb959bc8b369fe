import { type OnDatabase, query } from "./query.ts";

/**
 * Returns all values of a table as text, including columns without a model, for searching secrets.
 * @throws if the table is empty, because an empty table contains no secret
 */
export async function textOfTable(on: OnDatabase, table: string): Promise<string> {
  const text = `select string_agg(t::text, e'\\n') as text from ${table} t`;
  const [held] = await query<{ text: string | null }>(on, text);
  if (!held?.text) throw new Error(`${table} is empty`);
  return held.text;
}
