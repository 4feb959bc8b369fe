import type { QueryInterface } from "sequelize";

/** The time of a user's last revocation is no longer written, because credentials have generations. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table users alter column tokens_valid_after drop not null;");
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    update users set tokens_valid_after = 0 where tokens_valid_after is null;
    alter table users alter column tokens_valid_after set not null;
  `);
}
