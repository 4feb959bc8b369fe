import type { Sequelize } from "sequelize";

import type { AtlasRegion, AtlasSpawner } from "../sources/atlas-records.ts";

interface Rows {
  readonly generation: number;
  /** The id of the first. */
  readonly first: number;
}

/** Writes regions with their rectangles. */
export async function insertRegions(
  regions: readonly AtlasRegion[],
  { generation, first }: Rows,
  sequelize: Sequelize,
): Promise<void> {
  const rows = regions.map((region, at) => ({ ...region, id: first + at }));
  await sequelize.query(insertRegionRows, { bind: [generation, JSON.stringify(rows)] });
}

const insertRegionRows = `
  with given as (
    select * from jsonb_to_recordset($2::jsonb) as given (
      id integer, key text, facet text, name text, type text, parent text, level integer,
      priority integer, go jsonb, entrance jsonb, music text, rune text, guarded boolean,
      housing boolean, "logoutDelay" boolean, "minExpansion" text, "maxExpansion" text,
      area double precision, rects jsonb)
  ), rects as (
    insert into atlas_rects (generation, region_id, x1, y1, z1, x2, y2, z2)
    select $1, given.id, rect.x1, rect.y1, rect.z1, rect.x2, rect.y2, rect.z2
    from given, jsonb_to_recordset(given.rects) as rect (
      x1 integer, y1 integer, z1 integer, x2 integer, y2 integer, z2 integer)
  )
  insert into atlas_regions (generation, id, key, facet, name, type, parent, level, priority, go,
    entrance, music, rune, guarded, housing, logout_delay, min_expansion, max_expansion, area)
  select $1, id, key, facet, name, type, parent, level, priority, nullif(go, 'null'),
    nullif(entrance, 'null'), music, rune, guarded, housing, "logoutDelay", "minExpansion",
    "maxExpansion", area
  from given`;

/** Writes spawners with what they spawn. */
export async function insertSpawners(
  spawners: readonly AtlasSpawner[],
  { generation, first }: Rows,
  sequelize: Sequelize,
): Promise<void> {
  const rows = spawners.map((spawner, at) => ({
    ...spawner,
    id: first + at,
    entries: spawner.entries.map((entry, place) => ({ ...entry, place })),
  }));
  await sequelize.query(insertSpawnerRows, { bind: [generation, JSON.stringify(rows)] });
}

const insertSpawnerRows = `
  with given as (
    select * from jsonb_to_recordset($2::jsonb) as given (
      id integer, key text, facet text, name text, x integer, y integer, z integer, rect jsonb,
      "homeRange" integer, "walkRange" integer, count integer, "minDelaySec" double precision,
      "maxDelaySec" double precision, running boolean, region text, source text, entries jsonb)
  ), entries as (
    insert into atlas_entries (generation, spawner_id, place, type, type_key, max, probability,
      args, min_delay_sec, max_delay_sec)
    select $1, given.id, entry.place, entry.type, entry."typeKey", entry.max, entry.probability,
      entry.args, entry."minDelaySec", entry."maxDelaySec"
    from given, jsonb_to_recordset(given.entries) as entry (
      place integer, type text, "typeKey" text, max integer, probability double precision,
      args text, "minDelaySec" double precision, "maxDelaySec" double precision)
  )
  insert into atlas_spawners (generation, id, key, facet, name, x, y, z, rect, home_range,
    walk_range, count, min_delay_sec, max_delay_sec, running, region, source)
  select $1, id, key, facet, name, x, y, z, nullif(rect, 'null'), "homeRange", "walkRange", count,
    "minDelaySec", "maxDelaySec", running, region, source
  from given`;
