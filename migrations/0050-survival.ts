import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table survival_servers (
      id integer generated always as identity primary key,
      slug text not null unique,
      name text not null,
      description text,
      region text,
      -- The address for players, never that of the sidecar.
      connect text,
      sort integer not null default 0,
      enabled boolean not null default false,
      listed boolean not null default true,
      base_url text not null default '',
      ws_url text not null default '',
      token_sealed text,
      protocol integer not null default 13,
      show_seed boolean not null default true,
      ignore_staff boolean not null default true,
      permission_sync boolean not null default true,
      wipe_rule text,
      wipe_day integer,
      wipe_time text,
      wipe_timezone text,
      wipe_cron text,
      wipe_at timestamptz,
      title_mode text not null default 'first',
      title_max integer,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );

    -- The last state that a game server reported of itself.
    create table survival_server_states (
      server_id integer primary key references survival_servers on delete cascade,
      hello jsonb,
      status jsonb,
      map jsonb,
      -- When its world was created, in epoch milliseconds.
      save_id bigint,
      online_since timestamptz,
      last_seen_at timestamptz
    );

    create table survival_events (
      id bigint generated always as identity primary key,
      server_id integer not null references survival_servers on delete cascade,
      epoch text not null,
      seq bigint not null,
      event_key text,
      boot_id text,
      save_id bigint,
      kind text not null,
      t bigint not null,
      payload jsonb not null,
      created_at timestamptz not null default clock_timestamp(),
      unique (server_id, epoch, seq)
    );
    create unique index survival_events_key on survival_events (server_id, event_key)
      where event_key is not null;
    create index survival_events_of_server on survival_events (server_id, id desc);
    create index survival_events_kind on survival_events (server_id, kind, id desc);
    create index survival_events_age on survival_events (created_at);

    create table survival_wipes (
      id integer generated always as identity primary key,
      server_id integer not null references survival_servers on delete cascade,
      save_id bigint not null,
      started_at timestamptz not null,
      ended_at timestamptz,
      kind text not null default 'unknown',
      forced boolean not null default false,
      save_protocol integer,
      level text,
      seed text,
      world_size integer,
      map_hash text,
      peak integer,
      unique (server_id, save_id)
    );
    create index survival_wipes_newest on survival_wipes (server_id, started_at desc, id desc);

    create table survival_players (
      steam_id text primary key,
      name text not null,
      first_seen_at timestamptz not null default clock_timestamp(),
      last_seen_at timestamptz not null default clock_timestamp()
    );

    -- The players who are on a server now.
    create table survival_presence (
      server_id integer not null references survival_servers on delete cascade,
      steam_id text not null,
      name text not null,
      connected_at timestamptz not null,
      primary key (server_id, steam_id)
    );

    create table survival_tallies (
      wipe_id integer not null references survival_wipes on delete cascade,
      steam_id text not null,
      name text not null,
      is_staff boolean not null default false,
      updated_at timestamptz not null default clock_timestamp(),
      primary key (wipe_id, steam_id)
    );

    -- One row per nonzero figure, so that one index gives each leaderboard.
    create table survival_scores (
      wipe_id integer not null references survival_wipes on delete cascade,
      stat text not null,
      steam_id text not null,
      value bigint not null,
      -- Among equal figures, the player who reached it first ranks higher.
      reached_at timestamptz not null default clock_timestamp(),
      primary key (wipe_id, stat, steam_id)
    );
    create index survival_scores_ranked
      on survival_scores (wipe_id, stat, value desc, reached_at, steam_id);
    create index survival_scores_player on survival_scores (steam_id);

    create table steam_links (
      steam_id text primary key,
      user_id integer not null references users on delete cascade,
      name text not null,
      -- The server on which the code was created.
      server_id integer references survival_servers on delete set null,
      linked_at timestamptz not null default now()
    );
    create index steam_links_user on steam_links (user_id);

    -- All changes that the site made in a game world, and their state.
    create table survival_ledger (
      id bigint generated always as identity primary key,
      server_id integer not null references survival_servers on delete cascade,
      what text not null,
      ref text not null,
      state text not null,
      pushed_at timestamptz not null default clock_timestamp(),
      confirmed_at timestamptz,
      lease_until timestamptz,
      ended_at timestamptz,
      reason text,
      run_id integer,
      step_id bigint,
      boot_id text
    );
    create index survival_ledger_ref on survival_ledger (server_id, what, ref, id desc);
    create index survival_ledger_newest on survival_ledger (id desc);
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    drop table survival_ledger, steam_links, survival_scores, survival_tallies, survival_presence,
      survival_players, survival_wipes, survival_events, survival_server_states, survival_servers;
    delete from rejected_frames where source like 'survival:%';
    delete from ingest_sources where source like 'survival:%'`);
}
