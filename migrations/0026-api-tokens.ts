import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table api_tokens (
      id integer generated always as identity primary key,
      name text not null,
      token_hash bytea not null unique,
      role text not null check (role in ('editor', 'moderator', 'player')),
      scopes text[] not null,
      created_at timestamptz not null default now(),
      created_by integer not null references users on delete cascade,
      expires_at timestamptz,
      last_used_at timestamptz,
      revoked_at timestamptz
    );
    create index api_tokens_created_by on api_tokens (created_by);

    -- No foreign key: the id stays when the token is deleted.
    alter table activity_log add column token_id integer;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table activity_log drop column token_id;
    drop table api_tokens
  `);
}
