import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- True if Steam links by codes of the server are accepted. The previous release accepted all.
    alter table survival_servers add column accepts_links boolean not null default true;
    update survival_servers set accepts_links = false where not listed;

    -- When a server last reported a code without a hash, which cannot be verified.
    alter table survival_server_states add column link_unhashed_at timestamptz;

    -- Codes for Steam links that servers have reported. The table does not hold the code, but a
    -- keyed digest of the server's salted hash, so that nobody can find a code by trying.
    create table survival_link_codes (
      id bigint generated always as identity primary key,
      server_id integer not null references survival_servers on delete cascade,
      salt text not null,
      digest text not null,
      expires_at timestamptz not null,
      -- A used code cannot be used again.
      used_at timestamptz,
      used_by integer references users on delete set null,
      steam_id text,
      unique (server_id, digest)
    );
    create index survival_link_codes_expiry on survival_link_codes (expires_at);
    create index survival_link_codes_user on survival_link_codes (used_by) where used_by is not null;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    drop table survival_link_codes;
    alter table survival_server_states drop column link_unhashed_at;
    alter table survival_servers drop column accepts_links`);
}
