import type { QueryInterface } from "sequelize";

/** Adds the number of rows that were dropped from a survival server's frames because of an invalid value. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(
    "alter table ingest_sources add column rows_left_out bigint not null default 0",
  );
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table ingest_sources drop column rows_left_out");
}
