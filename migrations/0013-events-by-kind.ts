import type { QueryInterface } from "sequelize";

/** Adds an index by kind, so that a stream reads only the kinds that its access level may see. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create index shard_events_public_kind on shard_events (kind, id) where reach = 'public';
    drop index shard_events_public;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create index shard_events_public on shard_events (id) where reach = 'public';
    drop index shard_events_public_kind;
  `);
}
