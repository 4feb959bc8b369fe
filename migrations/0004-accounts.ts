import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table password_resets (
      token_hash bytea primary key,
      user_id integer not null references users on delete cascade,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      used_at timestamptz
    );
    create index password_resets_user on password_resets (user_id);
    create index password_resets_expires_at on password_resets (expires_at);

    create table invites (
      id integer generated always as identity primary key,
      -- Null until the link is sent, because the link is created only then.
      token_hash bytea unique,
      email text,
      role text not null check (role in ('admin', 'editor', 'moderator', 'player')),
      created_at timestamptz not null default now(),
      created_by integer references users on delete set null,
      expires_at timestamptz not null,
      accepted_at timestamptz,
      accepted_user_id integer references users on delete set null,
      revoked_at timestamptz
    );
    create index invites_created_by on invites (created_by);
    create index invites_accepted_user on invites (accepted_user_id);

    create table ip_reputation (
      address_key text primary key,
      score double precision not null default 0,
      scored_at timestamptz not null default clock_timestamp(),
      strikes integer not null default 0,
      banned_until timestamptz,
      login_strikes integer not null default 0,
      login_blocked_until timestamptz
    );
    create index ip_reputation_banned on ip_reputation (banned_until)
      where banned_until is not null;

    -- Counters for minutes: writes need not wait for the disk, and a database crash may empty them.
    create unlogged table rate_limits (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    );
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop table rate_limits, ip_reputation, invites, password_resets");
}
