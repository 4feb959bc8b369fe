import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- When a player received a staff role. Null for players and for users created as staff.
    alter table users add column staff_since timestamptz;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table users drop column staff_since");
}
