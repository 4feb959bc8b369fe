import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- Writes of plugins' configurations, and their results.
    create table survival_config_writes (
      id bigint generated always as identity primary key,
      -- The id of the write in the game.
      write_id text not null unique,
      server_id integer not null references survival_servers on delete cascade,
      plugin text not null,
      file text not null,
      state text not null default 'reloading',
      outcome text,
      created_at timestamptz not null default clock_timestamp(),
      created_by integer references users on delete set null,
      settle_by timestamptz not null,
      settled_at timestamptz,
      before_hash text not null,
      written_hash text not null,
      after_hash text,
      message text,
      log_tail text[] not null default '{}',
      rollback_of text,
      -- The game's result if it arrived after the write was given up.
      late_outcome jsonb,
      -- The hash of the request, which recognizes a repeated request.
      request_hash text not null,
      -- Both contain secrets: the former content of the file, and values that no log may show.
      before_sealed text,
      secrets_sealed text
    );
    create index survival_config_writes_newest on survival_config_writes (server_id, id desc);
    create index survival_config_writes_due on survival_config_writes (settle_by)
      where state = 'reloading';
    -- A rollback must find the text of its own write in the file, so only one write is pending.
    create unique index survival_config_writes_pending
      on survival_config_writes (server_id, lower(plugin)) where state = 'reloading';
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop table survival_config_writes");
}
