import type { QueryInterface } from "sequelize";

/** A token may have fewer rights than its user; a run has the rights of the token that started it. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table event_runs add column started_as text");
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table event_runs drop column started_as");
}
