import type { QueryInterface } from "sequelize";

/** For the data export of a user and the deletion of an account. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create index activity_log_user on activity_log (target_id, id desc) where target_type = 'user'
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop index activity_log_user");
}
