import type { QueryInterface } from "sequelize";

/** Adds an index that finds the chat messages which a user has hidden, for the deletion of that user. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create index survival_events_hidden_by on survival_events (hidden_by)
      where hidden_by is not null
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop index survival_events_hidden_by");
}
