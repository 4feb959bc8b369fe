import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- State families that lost events and wait for a whole snapshot.
    alter table ingest_sources add column stale text[] not null default '{}';
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table ingest_sources drop column stale");
}
