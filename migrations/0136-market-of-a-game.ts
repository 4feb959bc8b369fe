import type { QueryInterface } from "sequelize";

/** Stores in each session the key of its last hello: another key shows that another game is linked. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table plugin_sessions add column key_id bigint");
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table plugin_sessions drop column key_id");
}
