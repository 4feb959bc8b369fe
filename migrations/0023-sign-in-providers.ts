import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table auth_providers (
      id text primary key,
      kind text not null check (kind in ('oidc', 'oauth2')),
      builtin boolean not null default false,
      name text not null,
      icon text,
      priority integer not null default 0,
      enabled boolean not null default false,
      issuer text,
      client_id text,
      client_secret_sealed text,
      scopes text[] not null default '{}',
      health_status text check (health_status in ('ok', 'unreachable', 'wrong_issuer', 'bad_secret')),
      health_detail text,
      health_at timestamptz
    );

    insert into auth_providers (id, kind, builtin, name, icon, priority, scopes) values
      ('discord', 'oauth2', true, 'Discord', 'discord', 20, '{identify}'),
      ('google', 'oidc', true, 'Google', 'google', 10, '{}');

    -- The table of connect-pg-simple, but with time zones.
    create table sso_sessions (
      sid text primary key,
      sess jsonb not null,
      expire timestamptz not null
    );
    create index sso_sessions_expire on sso_sessions (expire);

    create table sso_transactions (
      id bigint generated always as identity primary key,
      state_hash bytea not null unique,
      browser_hash bytea not null,
      provider_id text not null,
      mode text not null check (mode in ('login', 'link', 'mobile')),
      user_id integer references users on delete cascade,
      nonce text,
      code_verifier text not null,
      return_to text not null default '/',
      app_redirect_uri text,
      app_state text,
      app_challenge text,
      expires_at timestamptz not null,
      consumed_at timestamptz
    );
    create index sso_transactions_user on sso_transactions (user_id);
    create index sso_transactions_expires_at on sso_transactions (expires_at);

    create table mobile_sso_codes (
      code_hash bytea primary key,
      user_id integer not null references users on delete cascade,
      identity_id integer not null references identities on delete cascade,
      code_challenge text not null,
      amr text[] not null default '{}',
      issued_at bigint not null,
      expires_at timestamptz not null,
      consumed_at timestamptz,
      family_id integer references mobile_families on delete set null
    );
    create index mobile_sso_codes_user on mobile_sso_codes (user_id);
    create index mobile_sso_codes_identity on mobile_sso_codes (identity_id);
    create index mobile_sso_codes_family on mobile_sso_codes (family_id);
    create index mobile_sso_codes_expires_at on mobile_sso_codes (expires_at);

    alter table auth_challenges
      add column identity_id integer references identities on delete cascade,
      add column sso_transaction_id bigint references sso_transactions on delete cascade;
    create index auth_challenges_identity on auth_challenges (identity_id);
    create index auth_challenges_sso_transaction on auth_challenges (sso_transaction_id);
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table auth_challenges drop column identity_id, drop column sso_transaction_id;
    drop table mobile_sso_codes, sso_transactions, sso_sessions, auth_providers
  `);
}
