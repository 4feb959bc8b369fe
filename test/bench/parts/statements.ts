import type { Client } from "pg";

/** Makes the server record the statements of new connections to this database. */
export async function recordStatements(client: Client): Promise<void> {
  await client.query("create extension if not exists pg_stat_statements");
  await client.query(
    `do $$ begin execute format('alter database %I set pg_stat_statements.track = top',
       current_database()); end $$`,
  );
}
