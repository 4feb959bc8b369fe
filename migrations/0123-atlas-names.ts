import type { QueryInterface } from "sequelize";

/**
 * A spawner carries the names that it is found by, so that a search reads the spawners alone. Rows that
 * the release before writes lack them, and are searched in the tables that hold the names.
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
