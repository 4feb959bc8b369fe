import type { QueryInterface } from "sequelize";

/** Adds an index for event streams. It is partial, because most stored events are not public. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(
    "create index shard_events_public on shard_events (id) where reach = 'public'",
  );
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop index shard_events_public");
}
