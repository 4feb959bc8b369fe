import type { QueryInterface } from "sequelize";

/**
 * Stores a digest of the rules that a text was rendered with. Links and images depend on the rules, so a text
 * with another digest is rendered again. Existing texts get an empty digest.
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
