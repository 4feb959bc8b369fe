import type { QueryInterface } from "sequelize";

/** Stores who may still request the outcome of a command (`kept_for`), and adds an index of large outcomes. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table plugin_commands add column kept_for text not null default 'key'
      check (kept_for in ('caller', 'key', 'nobody'));
    create index plugin_commands_large on plugin_commands (source)
      where octet_length(outcome) > 65536;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    drop index plugin_commands_large;
    alter table plugin_commands drop column kept_for;
  `);
}
