import type { QueryInterface } from "sequelize";

/** Stores why the outcome of a lost command cannot arrive. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table plugin_commands add column loss text
      check (loss in ('unwritten', 'restarted', 'overdue'))`);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table plugin_commands drop column loss");
}
