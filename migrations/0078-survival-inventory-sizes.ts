import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- The size of a page; unknown for pages that an older release stored.
    alter table survival_permission_pages
      add column bytes integer not null default 0,
      add column entries integer not null default 0;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table survival_permission_pages drop column bytes, drop column entries`);
}
