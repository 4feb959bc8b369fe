import type { QueryInterface } from "sequelize";

/** The second of a user's last cut is written no more: credentials go by their generation. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table users alter column tokens_valid_after drop not null;");
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    update users set tokens_valid_after = 0 where tokens_valid_after is null;
    alter table users alter column tokens_valid_after set not null;
  `);
}
