import { type Sequelize, Transaction } from "sequelize";

import { type Sql, sqlOf } from "../../db/sql.ts";
import { missing } from "../../errors.ts";
import type { AtlasPoint, AtlasRect } from "../sources/atlas-records.ts";
import { type AtlasFilter, filterValues, regionFits, spawnerFits } from "./filters.ts";

export interface AtlasFacetView {
  readonly name: string;
  readonly regions: number;
  readonly rects: number;
  readonly spawners: number;
  readonly entries: number;
  readonly total: number;
}

interface SpawnView extends AtlasPoint {
  readonly key: string;
  readonly name: string | null;
  readonly rect: AtlasRect | null;
  readonly homeRange: number;
  readonly walkRange: number;
  readonly count: number;
  readonly minDelaySec: number;
  readonly maxDelaySec: number;
  readonly running: boolean;
  readonly region: string | null;
  readonly entries: readonly object[];
}

export interface AtlasPage {
  readonly facets: readonly AtlasFacetView[];
  /** Null in the summary. */
  readonly facet: string | null;
  readonly regions: readonly object[];
  readonly spawns: readonly SpawnView[];
  /** Spawners that match, whatever the page. */
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly importedAt: Date | null;
}

/** What is asked of the atlas; without a facet its summary. */
export interface AtlasQuery extends AtlasFilter {
  readonly facet?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

/**
 * The atlas as anyone may see it, all of it of one import.
 * @throws AppError 404 for a facet it does not have
 */
export function readAtlas(query: AtlasQuery, sequelize: Sequelize): Promise<AtlasPage> {
  // An import may swap the tables between two reads.
  const isolationLevel = Transaction.ISOLATION_LEVELS.REPEATABLE_READ;
  return sequelize.transaction({ isolationLevel, readOnly: true }, async (transaction) => {
    const sql = sqlOf(transaction);
    const { generation, importedAt, facets } = await readSummary(sql);
    const { limit, offset } = query;
    const summary = {
      facets,
      facet: null,
      regions: [],
      spawns: [],
      total: 0,
      limit,
      offset,
      importedAt,
    };
    if (query.facet === undefined) return summary;
    const asked = query.facet.toLowerCase();
    const facet = facets.find(({ name }) => name.toLowerCase() === asked)?.name;
    if (facet === undefined) throw missing("Unknown facet");
    const regions = await readRegions({ ...query, facet, generation }, sql);
    const { spawns, total } = await readSpawns({ ...query, facet, generation }, sql);
    return { ...summary, facet, regions, spawns, total };
  });
}

interface Summary {
  readonly generation: number;
  readonly importedAt: Date | null;
  readonly facets: readonly AtlasFacetView[];
}

async function readSummary(sql: Sql): Promise<Summary> {
  const { rows } = await sql.query<Summary>(
    `select generation, imported_at as "importedAt", coalesce((
       select json_agg(json_build_object('name', name, 'regions', regions, 'rects', rects,
         'spawners', spawners, 'entries', entries, 'total', total) order by name)
       from atlas_facets facet where facet.generation = state.generation), '[]') as facets
     from atlas_state state left join imported_sources on kind = 'atlas'`,
  );
  if (!rows[0]) throw new Error("the row of atlas_state is missing");
  return rows[0];
}

type FacetQuery = AtlasQuery & { readonly facet: string; readonly generation: number };

/** No stock facet has as many regions. */
const maxRegions = 1_000;

async function readRegions(query: FacetQuery, sql: Sql): Promise<object[]> {
  const { rows } = await sql.query(
    `select key, name, type, parent, level, priority, go, entrance, music, rune, guarded, housing,
       logout_delay as "logoutDelay", min_expansion as "minExpansion",
       max_expansion as "maxExpansion", area, coalesce((
         select json_agg(json_build_object('x1', x1, 'y1', y1, 'z1', z1, 'x2', x2, 'y2', y2, 'z2', z2))
         from atlas_rects rect
         where rect.generation = region.generation and rect.region_id = region.id), '[]') as rects
     from atlas_regions region where ${regionFits}
     order by priority desc, level desc, id limit ${maxRegions}`,
    filterValues(query),
  );
  return rows;
}

async function readSpawns(
  query: FacetQuery,
  sql: Sql,
): Promise<{ spawns: SpawnView[]; total: number }> {
  const values = filterValues(query);
  const { rows: counted } = await sql.query<{ total: number }>(
    `select count(*) as total from atlas_spawners spawner where ${spawnerFits}`,
    values,
  );
  const { rows: spawns } = await sql.query<SpawnView>(
    `with page as (
       select * from atlas_spawners spawner where ${spawnerFits}
       order by id limit ${query.limit} offset ${query.offset}
     ), spawning as (${entriesOfPage})
     select key, name, x, y, z, rect, home_range as "homeRange", walk_range as "walkRange", count,
       min_delay_sec as "minDelaySec", max_delay_sec as "maxDelaySec", running, region,
       coalesce(entries, '[]') as entries
     from page left join spawning using (id) order by id`,
    values,
  );
  return { spawns, total: counted[0]?.total ?? 0 };
}

/**
 * What the page's spawners spawn, in one look for all of them. A picture that an operator chose is
 * shown while it is held; few are chosen, so each is looked up by itself.
 */
const entriesOfPage = `
  select spawner_id as id, json_agg(json_build_object('type', entry.type, 'max', entry.max,
    'probability', entry.probability, 'status', creature.status, 'body', creature.body,
    'art', coalesce((
      select key from assets where key = art.operator_key and image is not null), art.derived_key))
    order by entry.place) as entries
  from (select generation, id as spawner_id from page) as shown
  join atlas_entries entry using (generation, spawner_id)
  left join atlas_creatures creature using (generation, type_key)
  left join creature_art art using (type_key)
  group by spawner_id`;
