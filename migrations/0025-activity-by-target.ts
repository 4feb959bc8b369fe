import type { QueryInterface } from "sequelize";

/** Adds an index that the data export of a user and the deletion of an account need. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create index activity_log_user on activity_log (target_id, id desc) where target_type = 'user'
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop index activity_log_user");
}
