import type { QueryInterface } from "sequelize";

/** Stores the token that started a run. The run loses its rights when the token is revoked or expires. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table event_runs
      add column started_token integer references api_tokens on delete set null;
    create index event_runs_started_token on event_runs (started_token);
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table event_runs drop column started_token");
}
