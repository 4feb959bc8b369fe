import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- Links of the shard to users that do not exist here.
    alter table ingest_sources add column unknown_links bigint not null default 0;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table ingest_sources drop column unknown_links");
}
