import type { QueryInterface } from "sequelize";

/**
 * Creates a table in which imports stage texts, each attempt under its own number; a crash may empty the
 * unlogged table. Columns without readers are no longer written. The previous release still writes them, so
 * this migration only makes them nullable, and a later one drops them.
 */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create sequence cliloc_stages as integer;
    create unlogged table cliloc_stage (
      stage integer not null,
      number integer not null,
      text text not null
    );

    alter table atlas_spawners alter column source drop not null;
    alter table atlas_creatures alter column spawners drop not null,
      alter column total drop not null, alter column facets drop not null;
    alter table assets alter column sha256 drop not null;
  `);
}

/** Fills the columns that the previous release requires. */
export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    update assets set sha256 = coalesce(image, '') where sha256 is null;
    alter table assets alter column sha256 set not null;
    update atlas_creatures set spawners = coalesce(spawners, 0), total = coalesce(total, 0),
      facets = coalesce(facets, '{}') where spawners is null or total is null or facets is null;
    alter table atlas_creatures alter column spawners set not null,
      alter column total set not null, alter column facets set not null;
    update atlas_spawners set source = '' where source is null;
    alter table atlas_spawners alter column source set not null;
    drop table cliloc_stage;
    drop sequence cliloc_stages;
  `);
}
