import type { QueryInterface } from "sequelize";

/** Stores the address for status packets of a shard that has neither a plugin nor a sidecar. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table shardlink add column status_host text not null default '',
      add column status_port integer not null default 2593`);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table shardlink drop column status_host, drop column status_port`);
}
