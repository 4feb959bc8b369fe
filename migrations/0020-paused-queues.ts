import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table paused_queues (
      queue text primary key,
      paused_by integer references users on delete set null,
      paused_at timestamptz not null default clock_timestamp()
    );
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop table paused_queues");
}
