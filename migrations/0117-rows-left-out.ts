import type { QueryInterface } from "sequelize";

/** How many rows were left out of frames of a survival server because a value of theirs was odd. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(
    "alter table ingest_sources add column rows_left_out bigint not null default 0",
  );
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table ingest_sources drop column rows_left_out");
}
