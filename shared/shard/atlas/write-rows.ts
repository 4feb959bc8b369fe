import type { Sequelize } from "sequelize";

import type { AtlasEntry, AtlasRegion, AtlasSpawner } from "../sources/atlas-records.ts";

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

/** Writes spawners with what they spawn, column by column: as JSON the server would parse them first. */
export async function insertSpawners(
  spawners: readonly AtlasSpawner[],
  { generation, first }: Rows,
  sequelize: Sequelize,
): Promise<void> {
  const placed = spawners.flatMap(({ entries }, at) =>
    entries.map((entry, place) => ({ entry, place, spawnerId: first + at })),
  );
  const columns = [
    ...Object.values(entryColumns).map(({ read }) => placed.map(read)),
    spawners.map((_, at) => first + at),
    ...Object.values(spawnerColumns).map(({ read }) => spawners.map(read)),
  ];
  await sequelize.query(insertSpawnerRows, { bind: [generation, ...columns] });
}

/** A column of a table, and its value of a record. */
interface Column<Source> {
  readonly type: string;
  readonly read: (source: Source) => unknown;
}

type Columns<Source> = Readonly<Record<string, Column<Source>>>;

interface PlacedEntry {
  readonly entry: AtlasEntry;
  readonly place: number;
  readonly spawnerId: number;
}

const entryColumns: Columns<PlacedEntry> = {
  spawner_id: { type: "integer", read: ({ spawnerId }) => spawnerId },
  place: { type: "integer", read: ({ place }) => place },
  type: { type: "text", read: ({ entry }) => entry.type },
  type_key: { type: "text", read: ({ entry }) => entry.typeKey },
  max: { type: "integer", read: ({ entry }) => entry.max },
  probability: { type: "float8", read: ({ entry }) => entry.probability },
  args: { type: "text", read: ({ entry }) => entry.args },
  min_delay_sec: { type: "float8", read: ({ entry }) => entry.minDelaySec },
  max_delay_sec: { type: "float8", read: ({ entry }) => entry.maxDelaySec },
};

const spawnerColumns: Columns<AtlasSpawner> = {
  key: { type: "text", read: ({ key }) => key },
  facet: { type: "text", read: ({ facet }) => facet },
  name: { type: "text", read: ({ name }) => name },
  x: { type: "integer", read: ({ x }) => x },
  y: { type: "integer", read: ({ y }) => y },
  z: { type: "integer", read: ({ z }) => z },
  rect: { type: "jsonb", read: ({ rect }) => rect && JSON.stringify(rect) },
  home_range: { type: "integer", read: ({ homeRange }) => homeRange },
  walk_range: { type: "integer", read: ({ walkRange }) => walkRange },
  count: { type: "integer", read: ({ count }) => count },
  min_delay_sec: { type: "float8", read: ({ minDelaySec }) => minDelaySec },
  max_delay_sec: { type: "float8", read: ({ maxDelaySec }) => maxDelaySec },
  running: { type: "boolean", read: ({ running }) => running },
  region: { type: "text", read: ({ region }) => region },
  source: { type: "text", read: ({ source }) => source },
};

const spawnerTypes = { id: "integer", ...typesOf(spawnerColumns) };
const firstOfSpawners = 2 + Object.keys(entryColumns).length;

const insertSpawnerRows = `
  with entries as (${insertFrom("atlas_entries", typesOf(entryColumns), 2)})
  ${insertFrom("atlas_spawners", spawnerTypes, firstOfSpawners)}`;

function typesOf<Source>(columns: Columns<Source>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(columns).map(([name, { type }]) => [name, type]));
}

/** @param parameter number of the one that holds the first column; `$1` holds the generation */
function insertFrom(
  table: string,
  types: Readonly<Record<string, string>>,
  parameter: number,
): string {
  const arrays = Object.values(types).map((type, at) => `$${parameter + at}::${type}[]`);
  return `insert into ${table} (generation, ${Object.keys(types).join(", ")})
    select $1, * from unnest(${arrays.join(", ")})`;
}
