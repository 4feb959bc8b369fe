import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table survival_permission_groups (
      id integer generated always as identity primary key,
      -- In lower case: the game accepts any case and keeps it.
      name text not null unique,
      title text not null default '',
      rank integer not null default 0,
      parent text,
      permissions text[] not null default '{}',
      scope_all boolean not null default true,
      server_ids integer[] not null,
      -- The game has groups of its own, which the site does not manage.
      managed boolean not null default true,
      protected boolean not null default false,
      updated_at timestamptz not null default now(),
      updated_by integer references users on delete set null
    );
    insert into survival_permission_groups (name, title, managed, protected, server_ids) values
      ('default', 'Everybody', false, true, '{}'), ('admin', 'Administrators', false, true, '{}'),
      ('moderator', 'Moderators', false, true, '{}');

    create table survival_grants (
      id integer generated always as identity primary key,
      kind text not null,
      steam_id text not null,
      user_id integer references users on delete set null,
      -- A permission, or the name of a group.
      value text not null,
      scope_all boolean not null default true,
      server_ids integer[] not null,
      source text not null default 'manual',
      reason text,
      expires_at timestamptz,
      created_at timestamptz not null default now(),
      created_by integer references users on delete set null,
      revoked_at timestamptz,
      revoked_by integer references users on delete set null,
      -- When the job noticed that the grant had expired.
      expired_at timestamptz
    );
    create unique index survival_grants_active on survival_grants (steam_id, kind, value)
      where revoked_at is null and expired_at is null;
    create index survival_grants_user on survival_grants (user_id);
    create index survival_grants_ends on survival_grants (expires_at)
      where revoked_at is null and expired_at is null;

    -- The rows that were pushed to each server, and their results.
    create table survival_permission_rows (
      server_id integer not null references survival_servers on delete cascade,
      subject_kind text not null,
      subject text not null,
      kind text not null,
      value text not null,
      state text not null,
      -- For a group itself: its properties on the server.
      shape text,
      -- The present or last push of the row, and its operation.
      push_id text,
      op text,
      next_shape text,
      boot_id text,
      at timestamptz not null default clock_timestamp(),
      error text,
      primary key (server_id, subject_kind, subject, kind, value)
    );
    create index survival_permission_rows_push on survival_permission_rows (server_id, push_id);
    create index survival_permission_rows_subject on survival_permission_rows (subject);
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(
    "drop table survival_permission_rows, survival_grants, survival_permission_groups",
  );
}
