import type { QueryInterface } from "sequelize";

/**
 * Stores when a survival server's console was dialed and did not accept the password, because all processes together
 * must not dial it so often that the game bans their address.
 */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(
    "alter table survival_servers add column rcon_dials timestamptz[] not null default '{}'",
  );
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table survival_servers drop column rcon_dials");
}
