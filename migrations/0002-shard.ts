import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table shardlink (
      id smallint primary key default 1 check (id = 1),
      base_url text not null default '',
      ws_url text not null default '',
      token_sealed text,
      protocol integer not null default 8,
      enabled boolean not null default false,
      changed_at timestamptz not null default now(),
      changed_by integer references users on delete set null
    );
    insert into shardlink default values;

    create table feature_visibility (
      feature text primary key,
      override jsonb not null
    );

    create table ingest_sources (
      source text primary key,
      fence bigint not null default 0,
      owner text,
      backend_pid integer,
      beat_at timestamptz,
      epoch text,
      seq bigint,
      boot_id text,
      state text not null default 'disconnected'
        check (state in ('connected', 'reconnecting', 'disconnected', 'error')),
      reason text,
      plugin_connected boolean not null default false,
      hello jsonb,
      received bigint not null default 0,
      stored bigint not null default 0,
      duplicates bigint not null default 0,
      rejected bigint not null default 0,
      gaps bigint not null default 0,
      last_ack_at timestamptz,
      last_event_at timestamptz
    );
    insert into ingest_sources (source) values ('shard');

    create table shard_events (
      id bigint generated always as identity primary key,
      source text not null,
      epoch text not null,
      seq bigint not null,
      event_key text,
      boot_id text,
      kind text not null,
      t bigint not null,
      payload jsonb not null,
      reach text not null check (reach in ('public', 'staff', 'none')),
      created_at timestamptz not null default clock_timestamp(),
      unique (source, epoch, seq)
    );
    create unique index shard_events_event_key on shard_events (source, event_key)
      where event_key is not null;
    create index shard_events_kind on shard_events (kind, id desc);

    create table rejected_frames (
      id bigint generated always as identity primary key,
      source text not null,
      at timestamptz not null default clock_timestamp(),
      reason text not null,
      kind text,
      excerpt text not null
    );

    create table shard_facts (
      name text primary key,
      value jsonb not null,
      t bigint,
      updated_at timestamptz not null default clock_timestamp()
    );

    create table shard_links (
      account_key text primary key,
      account text not null,
      user_id integer not null references users on delete cascade,
      linked_at timestamptz not null,
      updated_at timestamptz not null default clock_timestamp()
    );
    create index shard_links_user on shard_links (user_id);

    create table online_characters (
      serial text primary key,
      name text not null,
      account_key text,
      map text,
      x integer,
      y integer,
      z integer,
      region text
    );

    -- Current states: the last payload of each thing, and the columns for searches.
    create table houses (
      serial text primary key,
      state jsonb not null,
      t bigint not null,
      stage text not null generated always as (state ->> 'stage') stored,
      owner_account_key text generated always as (lower(state ->> 'ownerAcct')) stored,
      updated_at timestamptz not null default clock_timestamp()
    );
    create index houses_owner on houses (owner_account_key);
    create index houses_idoc on houses (serial) where stage = 'IDOC';

    create table points_boards (
      system text primary key,
      state jsonb not null,
      t bigint not null,
      updated_at timestamptz not null default clock_timestamp()
    );

    create table guilds (
      guild_id integer primary key,
      state jsonb not null,
      t bigint not null,
      leader_account_key text generated always as (lower(state -> 'leader' ->> 'acct')) stored,
      updated_at timestamptz not null default clock_timestamp()
    );
    create index guilds_leader on guilds (leader_account_key);

    create table governors (
      city text primary key,
      state jsonb not null,
      t bigint not null,
      account_key text generated always as (lower(state -> 'governor' ->> 'acct')) stored,
      updated_at timestamptz not null default clock_timestamp()
    );

    create table clilocs (
      number integer primary key,
      text text not null
    );

    create table snapshots (
      source text not null,
      family text not null,
      snapshot_id text not null,
      epoch text not null,
      pages integer not null,
      count integer not null,
      primary key (source, family)
    );
    create table snapshot_pages (
      source text not null,
      family text not null,
      page integer not null,
      rows jsonb not null,
      primary key (source, family, page),
      foreign key (source, family) references snapshots on delete cascade
    );
    create table snapshot_touched (
      source text not null,
      family text not null,
      key text not null,
      primary key (source, family, key),
      foreign key (source, family) references snapshots on delete cascade
    );
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    drop table snapshot_touched, snapshot_pages, snapshots, clilocs, governors, guilds,
      points_boards, houses, online_characters, shard_links, shard_facts, rejected_frames,
      shard_events, ingest_sources, feature_visibility, shardlink
  `);
}
