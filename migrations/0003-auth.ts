import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table auth_challenges (
      id uuid primary key,
      user_id integer not null references users on delete cascade,
      kind text not null check (kind in ('totp', 'sso_totp')),
      issued_at bigint not null,
      attempts smallint not null default 0,
      consumed_at timestamptz,
      expires_at timestamptz not null
    );
    create index auth_challenges_user on auth_challenges (user_id);
    create index auth_challenges_expires_at on auth_challenges (expires_at);

    create table totp_used (
      user_id integer not null references users on delete cascade,
      purpose text not null,
      step bigint not null,
      primary key (user_id, purpose)
    );

    create table totp_pending (
      user_id integer primary key references users on delete cascade,
      secret_sealed text not null,
      expires_at timestamptz not null
    );

    create table recovery_codes (
      id integer generated always as identity primary key,
      user_id integer not null references users on delete cascade,
      slot text not null,
      code_hash text not null,
      created_at timestamptz not null default now(),
      used_at timestamptz,
      unique (user_id, slot)
    );

    create table trusted_devices (
      id integer generated always as identity primary key,
      user_id integer not null references users on delete cascade,
      token_hash bytea not null unique,
      label text not null,
      created_at timestamptz not null default now(),
      last_used_at timestamptz not null default now(),
      expires_at timestamptz not null
    );
    create index trusted_devices_user on trusted_devices (user_id);
    create index trusted_devices_expires_at on trusted_devices (expires_at);

    create table mobile_families (
      id integer generated always as identity primary key,
      user_id integer not null references users on delete cascade,
      signed_in_at bigint not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      revoked_at timestamptz,
      revoke_reason text
    );
    create index mobile_families_user on mobile_families (user_id);
    create index mobile_families_expires_at on mobile_families (expires_at);

    create table mobile_sessions (
      id bigint generated always as identity primary key,
      family_id integer not null references mobile_families on delete cascade,
      token_hash bytea not null unique,
      device_name text,
      issued_at bigint not null,
      created_at timestamptz not null default now(),
      last_used_at timestamptz not null default now(),
      expires_at timestamptz not null,
      consumed_at timestamptz
    );
    create unique index mobile_sessions_live on mobile_sessions (family_id)
      where consumed_at is null;
    create index mobile_sessions_family on mobile_sessions (family_id);
    create index mobile_sessions_expires_at on mobile_sessions (expires_at);

    create table identities (
      id integer generated always as identity primary key,
      user_id integer not null references users on delete cascade,
      provider_id text not null,
      provider_name text not null,
      issuer text not null,
      subject text not null,
      linked_at timestamptz not null default now(),
      unique (provider_id, issuer, subject),
      unique (user_id, provider_id)
    );
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    drop table identities, mobile_sessions, mobile_families, trusted_devices, recovery_codes,
      totp_pending, totp_used, auth_challenges
  `);
}
