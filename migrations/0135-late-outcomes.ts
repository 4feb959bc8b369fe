import type { QueryInterface } from "sequelize";

/** Adds indexes to find later commands with the same key, and outcomes that no caller can request. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create index plugin_commands_later on plugin_commands (source, key, number)
      where key is not null;
    create index plugin_commands_unasked on plugin_commands (answered_at)
      where outcome is not null and (kept_for <> 'key' or status not between 200 and 299);
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop index plugin_commands_later, plugin_commands_unasked");
}
