import type { InferAttributes } from "sequelize";

import type { AtlasRegion } from "../../../../models/atlas/atlas-region.ts";
import type { AtlasSpawner } from "../../../../models/atlas/atlas-spawner.ts";
import { type Database, firstRow, rows } from "../../../platform/db/rows.ts";
import type { AtlasBox } from "../../calls/atlas-records.ts";
import {
  type AtlasFilter,
  listFilterValues,
  isUnfiltered,
  regionCondition,
  spawnerCondition,
} from "./filters.ts";

export interface FacetQuery extends AtlasFilter {
  readonly generation: number;
  readonly facet: string;
  readonly limit: number;
  readonly offset: number;
}

export interface FoundRegion extends Readonly<
  Omit<InferAttributes<AtlasRegion>, "generation" | "id" | "facet">
> {
  readonly rects: readonly AtlasBox[];
}

/** The maximum number of regions in an answer. No stock facet has as many. */
const maxRegions = 1_000;

export const findRegions = (query: FacetQuery, database: Database): Promise<FoundRegion[]> =>
  rows<FoundRegion>(
    database,
    `with found as materialized (
       select * from atlas_regions region where ${regionCondition}
       order by priority desc, level desc, id limit ${maxRegions}
     ), covering as materialized (
       select region_id as id, json_agg(json_build_object('x1', x1, 'y1', y1, 'z1', z1,
         'x2', x2, 'y2', y2, 'z2', z2)) as rects
       from atlas_rects where generation = $1 and region_id = any(array(select id from found))
       group by region_id
     )
     select key, name, type, parent, level, priority, go, entrance, music, rune, guarded, housing,
       logout_delay as "logoutDelay", min_expansion as "minExpansion",
       max_expansion as "maxExpansion", area, coalesce(rects, '[]') as rects
     from found left join covering using (id) order by priority desc, level desc, id`,
    listFilterValues(query),
  );

export interface FoundSpawner extends Readonly<
  Omit<InferAttributes<AtlasSpawner>, "generation" | "id" | "facet" | "names">
> {
  readonly entries: readonly object[];
}

export interface SpawnerPage {
  readonly spawns: readonly FoundSpawner[];
  /** Number of matching spawners on all pages; null without filters. */
  readonly total: number | null;
}

export async function findSpawners(query: FacetQuery, database: Database): Promise<SpawnerPage> {
  const counted = isUnfiltered(query) ? "null" : "count(*) over ()";
  const found = await rows<FoundSpawner & { total: number | null }>(
    database,
    `with matching as materialized (
       select id, ${counted}::integer as total from atlas_spawners spawner where ${spawnerCondition}
       order by id limit ${query.limit} offset ${query.offset}
     ), page as (
       select spawner.*, total from matching
       join atlas_spawners spawner on spawner.generation = $1 and spawner.id = matching.id
       where spawner.id = any(array(select id from matching))
     ), spawning as materialized (${entriesOfPage})
     select key, name, x, y, z, rect, home_range as "homeRange", walk_range as "walkRange", count,
       min_delay_sec as "minDelaySec", max_delay_sec as "maxDelaySec", running, region,
       coalesce(entries, '[]') as entries, total
     from page left join spawning using (id) order by id`,
    listFilterValues(query),
  );
  const spawns = found.map(({ total: _total, ...spawner }) => spawner);
  if (isUnfiltered(query)) return { spawns, total: null };
  // A page after the last one has no row, and therefore no total.
  const isBeyond = found.length === 0 && query.offset > 0;
  const total = isBeyond ? await countSpawners(query, database) : (found[0]?.total ?? 0);
  return { spawns, total };
}

async function countSpawners(query: FacetQuery, database: Database): Promise<number> {
  const counted = await firstRow<{ total: number }>(
    database,
    `select count(*) as total from atlas_spawners spawner where ${spawnerCondition}`,
    listFilterValues(query),
  );
  return counted?.total ?? 0;
}

/**
 * Selects the entries of the page's spawners in one scan. The CTE is materialized, because the planner would
 * otherwise repeat it for each row. The ids are an array, because the planner would read whole tables to join a
 * page of a thousand rows. If the picture that an operator chose is stored, it is shown. Such choices are few,
 * so each is looked up separately.
 */
const entriesOfPage = `
  select spawner_id as id, json_agg(json_build_object('type', entry.type, 'max', entry.max,
    'probability', entry.probability, 'status', creature.status, 'body', creature.body,
    'art', coalesce((
      select key from assets where key = art.operator_key and image is not null), art.derived_key))
    order by entry.place) as entries
  from atlas_entries entry
  left join atlas_creatures creature using (generation, type_key)
  left join creature_art art using (type_key)
  where entry.generation = $1 and entry.spawner_id = any(array(select id from matching))
  group by spawner_id`;
