import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table users (
      id integer generated always as identity primary key,
      username text not null,
      username_key text not null unique,
      email text,
      email_key text,
      role text not null check (role in ('admin', 'editor', 'moderator', 'player')),
      password_hash text,
      pepper_id text,
      totp_secret_sealed text,
      totp_enabled boolean not null default false,
      totp_fail_count integer not null default 0,
      totp_locked_until timestamptz,
      tokens_valid_after bigint not null default 0,
      disabled_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index users_email_key on users (email_key);

    create table revoked_tokens (
      token_id uuid primary key,
      user_id integer not null references users on delete cascade,
      expires_at timestamptz not null
    );
    create index revoked_tokens_expires_at on revoked_tokens (expires_at);

    create table activity_log (
      id bigint generated always as identity primary key,
      at timestamptz not null default clock_timestamp(),
      actor_id integer,
      action text not null,
      target_type text,
      target_id text,
      address text,
      detail jsonb not null default '{}'
    );
    create index activity_log_actor on activity_log (actor_id, id desc);
    create index activity_log_action on activity_log (action text_pattern_ops, id desc);

    create table settings (
      name text primary key,
      value jsonb not null,
      changed_at timestamptz not null default now(),
      changed_by integer references users on delete set null
    );

    create table processes (
      id uuid primary key,
      kind text not null,
      queue_groups text[] not null default '{}',
      host text not null,
      pid integer not null,
      version text not null,
      started_at timestamptz not null default now(),
      seen_at timestamptz not null default now()
    );
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(
    "drop table processes, settings, activity_log, revoked_tokens, users",
  );
}
