import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table rejected_frames add column detail text");
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table rejected_frames drop column detail");
}
