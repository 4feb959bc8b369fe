import type { QueryInterface } from "sequelize";

/** Stores the results of steps on the site itself, by idempotency key, so that a retry does not repeat them. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table event_effects (
      idempotency_key text primary key,
      result jsonb,
      at timestamptz not null default clock_timestamp()
    )
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop table event_effects");
}
