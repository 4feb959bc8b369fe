import type { QueryInterface } from "sequelize";

/** Drops a column and a table that no model declares. The previous release does not use them either. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table event_runs drop column heard_to;
    drop table survival_players;
  `);
}

/** Recreates the column and the table for the previous release, empty and without not-null constraints. */
export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table survival_players (
      steam_id text primary key,
      name text not null,
      first_seen_at timestamptz not null default clock_timestamp(),
      last_seen_at timestamptz not null default clock_timestamp()
    );
    alter table event_runs add column heard_to bigint;
  `);
}
