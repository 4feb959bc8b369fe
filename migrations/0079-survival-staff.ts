import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- Null until the state first changes, and while an older release writes it.
    alter table ingest_sources add column state_since timestamptz;

    -- Entries that staff hid from the feed; an older release shows them again.
    alter table survival_events
      add column hidden_at timestamptz,
      add column hidden_by integer references users on delete set null;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table survival_events drop column hidden_at, drop column hidden_by;
    alter table ingest_sources drop column state_since`);
}
