import type { QueryInterface } from "sequelize";

/** A token may have fewer rights than its user, and a run that it started has no more than it. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table event_runs add column started_as text");
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table event_runs drop column started_as");
}
