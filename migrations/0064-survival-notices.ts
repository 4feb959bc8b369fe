import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- Sent messages about servers whose event may recur, so that each is sent once.
    create table survival_notices (
      source text not null,
      trigger text not null,
      event_key text not null,
      told_at timestamptz not null default clock_timestamp(),
      primary key (source, trigger, event_key)
    );
    create index survival_notices_age on survival_notices (told_at);

    -- The leader in kills, as seen by the owner of the source with this fence.
    create table survival_kill_leaders (
      server_id integer primary key references survival_servers on delete cascade,
      fence bigint not null,
      wipe_id integer not null references survival_wipes on delete cascade,
      -- Null while there is no leader.
      steam_id text
    );

    -- A new world from a hello, until it is announced: the game may send more about its wipe.
    alter table survival_server_states
      add column untold_save_id bigint, add column untold_since timestamptz;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table survival_server_states drop column untold_save_id, drop column untold_since;
    drop table survival_kill_leaders, survival_notices`);
}
