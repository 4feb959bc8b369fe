import type { QueryInterface } from "sequelize";

/** Adds the unit of progress. Its default is for the previous release, which writes no unit. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(
    "alter table job_progress add column unit text not null default 'entries'",
  );
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table job_progress drop column unit");
}
