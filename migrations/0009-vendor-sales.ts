import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create index shard_events_sales on shard_events (lower(payload ->> 'ownerAcct'), t desc, id desc)
      where kind = 'vendor.sale'
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop index shard_events_sales");
}
