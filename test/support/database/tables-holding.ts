import { type DatabaseHolder, query } from "./query.ts";

/**
 * Returns the names of the tables that contain a text in any column.
 * @throws if the database has very few tables, because then the search would prove nothing
 */
export async function tablesHolding(on: DatabaseHolder, text: string): Promise<string[]> {
  const tables = await query<{ name: string }>(
    on,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  if (tables.length <= 100) throw new Error(`there are ${tables.length} tables`);
  const looks = tables.map(
    ({ name }) => `select '${name}' as name from ${name} one where one::text like $1`,
  );
  const found = await query<{ name: string }>(on, looks.join(" union "), `%${text}%`);
  return found.map(({ name }) => name);
}
