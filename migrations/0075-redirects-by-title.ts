import type { QueryInterface } from "sequelize";

/** Tells the slug that a page's title gives, where links by title lead to, from its former slugs. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(
    "alter table wiki_redirects add column by_title boolean not null default false",
  );
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("delete from wiki_redirects where by_title");
  await queries.sequelize.query("alter table wiki_redirects drop column by_title");
}
