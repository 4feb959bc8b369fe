import { type DatabaseHolder, query } from "./query.ts";

/** Returns the names of all tables of a schema, including tables without a model. */
export async function tableNames(on: DatabaseHolder, schema = "public"): Promise<string[]> {
  const text = "select tablename as name from pg_tables where schemaname = $1 order by 1";
  return (await query<{ name: string }>(on, text, schema)).map(({ name }) => name);
}
