import type { QueryInterface } from "sequelize";

/**
 * Creates the tables for game servers that are linked by a plugin which calls the site. `plugin_inbox` queues
 * its events for ingest; `plugin_commands` queues commands for the plugin.
 */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table shardlink add column kind text not null default 'sidecar'
      check (kind in ('sidecar', 'plugin', 'status'));
    alter table survival_servers add column kind text not null default 'sidecar'
      check (kind in ('sidecar', 'plugin', 'webrcon'));

    -- An ended key outlives its link, so that a removed plugin learns why it is refused.
    create table plugin_keys (
      id bigint generated always as identity primary key,
      source text collate "C" not null,
      digest bytea not null unique,
      created_at timestamptz not null default now(),
      created_by integer references users on delete set null,
      first_used_at timestamptz,
      last_used_at timestamptz,
      expires_at timestamptz,
      ended_at timestamptz,
      calls jsonb not null default '{}',
      second_began_at timestamptz,
      second_calls integer not null default 0
    ) with (fillfactor = 50);
    create index plugin_keys_source on plugin_keys (source);
    create index plugin_keys_creator on plugin_keys (created_by);

    create table plugin_sessions (
      source text collate "C" primary key references ingest_sources on delete cascade,
      boot_id text,
      epoch text,
      seq bigint not null default 0,
      hello jsonb,
      hello_at timestamptz,
      alive_until timestamptz,
      heard_at timestamptz,
      wait_id uuid,
      refusal text,
      former_boots jsonb not null default '{}',
      resync_told_at timestamptz
    ) with (fillfactor = 50);

    create table plugin_inbox (
      id bigint generated always as identity primary key,
      source text collate "C" not null references ingest_sources on delete cascade,
      kind text not null check (kind in ('hello', 'events')),
      boot_id text not null,
      epoch text not null,
      events integer not null,
      bytes integer not null,
      content text not null,
      received_at timestamptz not null default now()
    );
    create index plugin_inbox_order on plugin_inbox (source, id);

    create table plugin_commands (
      number bigint generated always as identity primary key,
      id uuid not null unique,
      source text collate "C" not null references ingest_sources on delete cascade,
      call text not null,
      input jsonb not null,
      actor jsonb,
      key text,
      digest bytea not null,
      state text not null default 'waiting'
        check (state in ('waiting', 'taken', 'answered', 'lost')),
      is_read boolean not null,
      created_at timestamptz not null default clock_timestamp(),
      take_before timestamptz not null,
      answer_before timestamptz not null,
      taken_at timestamptz,
      boot_id text,
      answered_at timestamptz,
      status integer,
      outcome text,
      outcome_digest bytea
    );
    create index plugin_commands_waiting on plugin_commands (source, number)
      where state = 'waiting';
    create index plugin_commands_taken on plugin_commands (source) where state = 'taken';
    create index plugin_commands_age on plugin_commands (created_at);
    -- A key can be used again after a refusal, which had no effect, and after a lost command.
    create unique index plugin_commands_key on plugin_commands (source, key)
      where key is not null
        and (state in ('waiting', 'taken') or (state = 'answered' and status between 200 and 299));
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    drop table plugin_commands, plugin_inbox, plugin_sessions, plugin_keys;
    alter table survival_servers drop column kind;
    alter table shardlink drop column kind;
  `);
}
