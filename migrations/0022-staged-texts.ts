import type { QueryInterface } from "sequelize";

/**
 * Texts are staged like pictures, each attempt under a number of its own; a crash may empty the
 * stage. Columns that nothing reads are no longer written: the release before this one goes on
 * writing them, so they lose what would refuse a row without them, and a later release drops them.
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

/** What the release before this one does not know of a row is filled in. */
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
