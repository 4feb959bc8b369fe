import type { QueryInterface } from "sequelize";

/** Stores the role of the token that started a run, because it may be lower than the role of the user. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table event_runs add column started_as text");
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table event_runs drop column started_as");
}
