import type { QueryInterface } from "sequelize";

/**
 * Makes the time of a user's last revocation nullable: credentials have generations now, so the time is no longer
 * written.
 */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table users alter column tokens_valid_after drop not null;");
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    update users set tokens_valid_after = 0 where tokens_valid_after is null;
    alter table users alter column tokens_valid_after set not null;
  `);
}
