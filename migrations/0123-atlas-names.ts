import type { QueryInterface } from "sequelize";

/**
 * Stores the searchable names of a spawner in its row, so that a search reads only spawners. Rows of the
 * previous release have no such names; they are searched through the other tables.
 */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table atlas_spawners add column names text;
    update atlas_spawners spawner
    set names = concat_ws(E'\\n', lower(name), lower(region), (
      select string_agg(type_key, E'\\n' order by place) from atlas_entries entry
      where entry.generation = spawner.generation and entry.spawner_id = spawner.id));
    create index atlas_spawners_facet on atlas_spawners (generation, facet, id);
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    drop index atlas_spawners_facet;
    alter table atlas_spawners drop column names;
  `);
}
