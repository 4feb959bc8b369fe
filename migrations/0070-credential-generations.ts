import type { QueryInterface } from "sequelize";

/**
 * Revokes credentials by number. A credential holds its user's generation at the time of issue; each revocation
 * raises the user's generation, and only an equal generation is valid. So a clock that is set back makes no
 * revoked credential valid. The previous release, which may still run, revokes by time; a trigger then raises the
 * generation.
 */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table users add column generation integer not null default 0;
    alter table mobile_sessions add column generation integer;
    alter table auth_challenges add column generation integer;
    alter table mobile_sso_codes add column generation integer;

    -- Devices stay signed in: their next refresh returns a token with a number.
    update mobile_sessions as session set generation = users.generation
    from mobile_families as family join users on users.id = family.user_id
    where family.id = session.family_id and session.issued_at > users.tokens_valid_after;

    create function raise_generation() returns trigger language plpgsql as
      'begin new.generation = old.generation + 1; return new; end';
    create trigger users_generation before update of tokens_valid_after on users for each row
      when (new.tokens_valid_after <> old.tokens_valid_after and new.generation = old.generation)
      execute function raise_generation();
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    drop trigger users_generation on users;
    drop function raise_generation;
    alter table mobile_sso_codes drop column generation;
    alter table auth_challenges drop column generation;
    alter table mobile_sessions drop column generation;
    alter table users drop column generation;
  `);
}
