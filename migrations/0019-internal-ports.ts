import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  // A process may choose the port of its health report. Other processes read the port from this column.
  await queries.sequelize.query("alter table processes add column internal_port integer");
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table processes drop column internal_port");
}
