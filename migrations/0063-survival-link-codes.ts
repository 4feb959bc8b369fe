import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- When a server last created a code for a Steam link.
    alter table survival_server_states add column link_minted_at timestamptz`);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table survival_server_states drop column link_minted_at");
}
