import type { QueryInterface } from "sequelize";

/** Stores the key of a session's game process, which distinguishes one game from another. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table plugin_sessions add column key_id bigint");
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table plugin_sessions drop column key_id");
}
