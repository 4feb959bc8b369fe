import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- The game reuses clan ids in a new database, so a clan also needs its creation time.
    create table survival_clans (
      id integer generated always as identity primary key,
      server_id integer not null references survival_servers on delete cascade,
      clan_id text not null,
      created text not null,
      name text not null,
      color integer,
      -- A 64-bit number of the game.
      score text,
      rank integer,
      member_count integer not null default 0,
      motd text,
      -- Null until the roster is received; until then no members are known.
      roster_at timestamptz,
      first_seen_at timestamptz not null,
      last_seen_at timestamptz not null,
      disbanded_at timestamptz,
      unique (server_id, clan_id, created)
    );
    create index survival_clans_board on survival_clans (server_id, rank);

    create table survival_clan_members (
      clan_row_id integer not null references survival_clans on delete cascade,
      steam_id text not null,
      name text not null,
      role_id integer,
      role_name text,
      role_rank integer,
      joined_at timestamptz,
      last_seen_at timestamptz,
      is_online boolean,
      primary key (clan_row_id, steam_id)
    );
    create index survival_clan_members_player on survival_clan_members (steam_id);

    -- When a server last sent its board, and how far the board reached.
    create table survival_clan_boards (
      server_id integer primary key references survival_servers on delete cascade,
      told_at timestamptz not null,
      ceiling integer not null,
      is_complete boolean not null
    );
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(
    "drop table survival_clan_boards, survival_clan_members, survival_clans",
  );
}
