import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- Everything that a run would have deleted, if an administrator was asked about it.
    alter table import_runs add column loss jsonb;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table import_runs drop column loss");
}
