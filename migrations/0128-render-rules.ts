import type { QueryInterface } from "sequelize";

/**
 * A digest of the configured rules that a text was rendered by: its links and images follow them, so a
 * text of other rules is rendered anew. Existing texts have none.
 */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table posts add column render_rules text not null default '';
    alter table wiki_pages add column render_rules text not null default '';
    alter table pages add column render_rules text not null default '';
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table posts drop column render_rules;
    alter table wiki_pages drop column render_rules;
    alter table pages drop column render_rules;
  `);
}
