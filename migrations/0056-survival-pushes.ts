import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- State that must be sent to game servers, and the progress of each.
    create table survival_pushes (
      server_id integer not null references survival_servers on delete cascade,
      name text not null,
      -- Incremented with each change; the server is out of date while pushed is lower.
      asked integer not null default 1,
      pushed integer not null default 0,
      asked_at timestamptz not null default clock_timestamp(),
      state text not null default 'waiting',
      -- The reason of the last change.
      reason text,
      error text,
      -- Failed tries since the last success.
      tries integer not null default 0,
      -- The push under way: its id, the changes that it covers, and the end of its lease.
      ref text,
      covers integer not null default 0,
      busy_until timestamptz,
      retry_at timestamptz,
      last_push_at timestamptz,
      last_ok_at timestamptz,
      primary key (server_id, name)
    );

    -- The last permissions of players that a server reported.
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
