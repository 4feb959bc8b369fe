import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- Writes of plugins' configurations, and what became of them.
    create table survival_config_writes (
      id bigint generated always as identity primary key,
      -- What the game knows it by.
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
      -- What the game told after the write was given up.
      late_outcome jsonb,
      -- Of what was asked, by which a repeated request is known.
      request_hash text not null,
      -- Both hold secrets: what stood in the file before, and what no log may show.
      before_sealed text,
      secrets_sealed text
    );
    create index survival_config_writes_newest on survival_config_writes (server_id, id desc);
    create index survival_config_writes_due on survival_config_writes (settle_by)
      where state = 'reloading';
    -- A write that is rolled back must find its own text in the file, and no other's.
    create unique index survival_config_writes_pending
      on survival_config_writes (server_id, lower(plugin)) where state = 'reloading';
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop table survival_config_writes");
}
