import type { QueryInterface } from "sequelize";

/** Drops columns that no model declares; the previous release does not use them either. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table assets drop column sha256;
    alter table atlas_creatures drop column spawners, drop column total, drop column facets;
    alter table atlas_entries drop column args, drop column min_delay_sec,
      drop column max_delay_sec;
    alter table atlas_spawners drop column source;
    alter table import_runs drop column asked_by;
  `);
}

/** Recreates the columns for the previous release, empty and nullable. */
export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table import_runs add column asked_by integer references users on delete set null;
    alter table atlas_spawners add column source text;
    alter table atlas_entries add column args text, add column min_delay_sec double precision,
      add column max_delay_sec double precision;
    alter table atlas_creatures add column spawners integer, add column total bigint,
      add column facets text[];
    alter table assets add column sha256 text collate "C";
  `);
}
