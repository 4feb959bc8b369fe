import type { QueryInterface } from "sequelize";

/** Adds an index of hellos, so that deleting calls does not read the deleted calls that VACUUM has not removed. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create index plugin_inbox_hellos on plugin_inbox (source, id) where kind = 'hello'`);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop index plugin_inbox_hellos");
}
