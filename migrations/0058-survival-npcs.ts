import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table survival_npc_profiles (
      id integer generated always as identity primary key,
      key text not null,
      -- The looks and the combat values of such an NPC, without its key.
      document jsonb not null,
      revision integer not null default 1,
      -- The highest revision number, including revisions that came from a game server.
      last_revision integer not null default 1,
      is_deleted boolean not null default false,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      updated_by integer references users on delete set null
    );
    -- The key of a deleted profile can be used again.
    create unique index survival_npc_profiles_key on survival_npc_profiles (key)
      where not is_deleted;
    create index survival_npc_profiles_updated_by on survival_npc_profiles (updated_by);

    -- Revisions that a newer one replaced.
    create table survival_npc_revisions (
      profile_id integer not null references survival_npc_profiles on delete cascade,
      revision integer not null,
      document jsonb not null,
      origin text not null,
      -- The server that had a revision which the site did not write.
      server_id integer references survival_servers on delete set null,
      updated_at timestamptz,
      updated_by integer references users on delete set null,
      replaced_at timestamptz not null default now(),
      primary key (profile_id, revision)
    );
    create index survival_npc_revisions_server on survival_npc_revisions (server_id);
    create index survival_npc_revisions_updated_by on survival_npc_revisions (updated_by);

    create table survival_npc_placements (
      id integer generated always as identity primary key,
      server_id integer not null references survival_servers on delete cascade,
      profile_key text not null,
      name text not null,
      anchor text not null,
      monument text,
      x double precision not null,
      y double precision not null,
      z double precision not null,
      rotation double precision not null,
      count integer not null,
      radius double precision not null,
      respawn_sec integer,
      enabled boolean not null,
      on_wipe text not null,
      -- The creation time of the world of its setup in epoch milliseconds; null if it was unknown.
      save_id bigint,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      updated_by integer references users on delete set null,
      unique (server_id, name)
    );
    create index survival_npc_placements_profile on survival_npc_placements (profile_key);
    create index survival_npc_placements_updated_by on survival_npc_placements (updated_by);

    create table survival_faction_pairs (
      a text not null,
      b text not null,
      stance text not null,
      primary key (a, b),
      check (a collate "C" < b collate "C")
    );

    create table survival_faction_table (
      id smallint primary key default 1 check (id = 1),
      updated_at timestamptz,
      updated_by integer references users on delete set null
    );
    insert into survival_faction_table default values;

    -- The last reported state of NPCs on a game server.
    create table survival_npc_servers (
      server_id integer primary key references survival_servers on delete cascade,
      -- Data that was pushed before this time may be lost.
      said_hello_at timestamptz not null default clock_timestamp(),
      placements jsonb,
      boot_id text,
      -- The last push of factions and placements.
      factions_sent_at timestamptz,
      factions_hash text,
      placements_sent_at timestamptz,
      placements_hash text
    );

    -- The last attempt to send a profile to a game server.
    create table survival_npc_pushes (
      server_id integer not null references survival_servers on delete cascade,
      key text not null,
      profile_id integer not null,
      revision integer not null,
      state text not null,
      error text,
      -- True if the server has, or may have, a revision of the site.
      is_there boolean not null,
      sent_at timestamptz not null,
      primary key (server_id, key)
    );
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(
    `drop table survival_npc_pushes, survival_npc_servers, survival_faction_table, survival_faction_pairs,
       survival_npc_placements, survival_npc_revisions, survival_npc_profiles`,
  );
}
