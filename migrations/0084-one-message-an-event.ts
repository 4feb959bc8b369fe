import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- A device receives one message per event. Null if an older release wrote the row.
    alter table push_deliveries add column shard_event_id bigint;
    create unique index push_deliveries_event on push_deliveries (device_id, shard_event_id)
      where shard_event_id is not null;
    create index pushes_event on pushes (shard_event_id)
      where shard_event_id is not null and user_id is not null;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    drop index pushes_event;
    alter table push_deliveries drop column shard_event_id;
  `);
}
