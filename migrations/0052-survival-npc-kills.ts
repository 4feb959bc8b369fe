import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- How many NPCs of a profile a player has killed within one world.
    create table survival_npc_kills (
      wipe_id integer not null references survival_wipes on delete cascade,
      profile_key text not null,
      steam_id text not null,
      kills integer not null,
      last_at timestamptz not null,
      primary key (wipe_id, profile_key, steam_id)
    );
    create index survival_npc_kills_profile on survival_npc_kills (profile_key, wipe_id);
    create index survival_npc_kills_player on survival_npc_kills (steam_id);
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop table survival_npc_kills");
}
