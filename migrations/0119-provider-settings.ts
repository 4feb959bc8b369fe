import type { QueryInterface } from "sequelize";

/**
 * Stores how the site authenticates at a provider whose metadata does not say it. It also stores if a sign-in
 * was retried, which is allowed once.
 */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table auth_providers
      add column token_auth_method text
        check (token_auth_method in ('client_secret_basic', 'client_secret_post')),
      add column id_token_algorithm text,
      drop constraint auth_providers_health_status_check,
      add constraint auth_providers_health_status_check check
        (health_status in ('ok', 'unreachable', 'wrong_issuer', 'bad_secret', 'unsupported'));
    alter table sso_transactions add column is_retry boolean not null default false;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table sso_transactions drop column is_retry;
    update auth_providers set health_status = 'unreachable' where health_status = 'unsupported';
    alter table auth_providers
      drop column token_auth_method,
      drop column id_token_algorithm,
      drop constraint auth_providers_health_status_check,
      add constraint auth_providers_health_status_check check
        (health_status in ('ok', 'unreachable', 'wrong_issuer', 'bad_secret'));
  `);
}
