import type { QueryInterface } from "sequelize";

/** Stores why a lost command will never have an outcome. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table plugin_commands add column loss text
      check (loss in ('unwritten', 'restarted', 'overdue'))`);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table plugin_commands drop column loss");
}
