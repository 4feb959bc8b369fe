import type { QueryInterface } from "sequelize";

/** Stores for the doctor command that trusted proxies sent invalid addresses, by kind of fault. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table unread_addresses (
      form text primary key,
      proxy text not null,
      seen_at timestamptz not null default now()
    )
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop table unread_addresses");
}
