import type { QueryInterface } from "sequelize";

/** Finds the texts whose headings hold a word, and the newest texts first: a common word's hits are not all ranked. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create index search_entries_heading on search_entries using gin (heading);
    create index search_entries_newest on search_entries (visible_from desc, type, ref_id desc);
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop index search_entries_heading, search_entries_newest");
}
