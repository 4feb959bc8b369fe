import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- What game servers must be told, and how far they were.
    create table survival_pushes (
      server_id integer not null references survival_servers on delete cascade,
      name text not null,
      -- Counted up with each change; the server lacks something while fewer are pushed.
      asked integer not null default 1,
      pushed integer not null default 0,
      asked_at timestamptz not null default clock_timestamp(),
      state text not null default 'waiting',
      -- Why it was asked for last.
      reason text,
      error text,
      -- Without success since the last one.
      tries integer not null default 0,
      -- The push under way: its id, the changes it covers, and until when nobody else may push.
      ref text,
      covers integer not null default 0,
      busy_until timestamptz,
      retry_at timestamptz,
      last_push_at timestamptz,
      last_ok_at timestamptz,
      primary key (server_id, name)
    );

    -- What a server last said that its players may do.
    create table survival_permission_inventories (
      server_id integer primary key references survival_servers on delete cascade,
      told_at timestamptz not null,
      groups jsonb not null,
      permissions jsonb not null,
      users jsonb not null
    );

    create table survival_permission_pages (
      server_id integer not null references survival_servers on delete cascade,
      inventory_id text not null,
      boot_id text,
      page integer not null,
      payload jsonb not null,
      primary key (server_id, page)
    );
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(
    "drop table survival_permission_pages, survival_permission_inventories, survival_pushes",
  );
}
