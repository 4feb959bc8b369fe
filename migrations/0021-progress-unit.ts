import type { QueryInterface } from "sequelize";

/** The default is for a release that does not know the column: it counted records, or files. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(
    "alter table job_progress add column unit text not null default 'entries'",
  );
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("alter table job_progress drop column unit");
}
