import type { QueryInterface } from "sequelize";

/** Marks redirects that lead from the slug of a page's title. All other redirects lead from former slugs. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(
    "alter table wiki_redirects add column by_title boolean not null default false",
  );
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("delete from wiki_redirects where by_title");
  await queries.sequelize.query("alter table wiki_redirects drop column by_title");
}
