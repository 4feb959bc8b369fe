import type { QueryInterface } from "sequelize";

/** Says by which key the game process of a session came, which tells one game from another. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table plugin_sessions add column key_id bigint");
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table plugin_sessions drop column key_id");
}
