import type { QueryInterface } from "sequelize";

/** Indexes hidden chat messages and closed reports, so that they are found and counted without reading others. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create index survival_events_hidden on survival_events (server_id, id)
      where hidden_at is not null;
    create index survival_reports_closed on survival_reports (id) where closed_at is not null;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop index survival_events_hidden, survival_reports_closed");
}
