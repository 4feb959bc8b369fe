import type { QueryInterface } from "sequelize";

/** Adds indexes of headings and of the newest texts, so that only some hits of a common word must be ranked. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create index search_entries_heading on search_entries using gin (heading);
    create index search_entries_newest on search_entries (visible_from desc, type, ref_id desc);
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop index search_entries_heading, search_entries_newest");
}
