import { copyRows, type CopyValue } from "../../db/copy.ts";
import type { Sql } from "../../db/sql.ts";
import type { AtlasBox, AtlasEntry, AtlasRegion, AtlasSpawner } from "../sources/atlas-records.ts";

interface Rows {
  readonly generation: number;
  /** The id of the first. */
  readonly first: number;
}

/** Writes regions with their rectangles. */
export async function insertRegions(
  regions: readonly AtlasRegion[],
  { generation, first }: Rows,
  sql: Sql,
): Promise<void> {
  const numbered = regions.map((region, at) => ({ ...region, id: first + at }));
  const rects = numbered.flatMap(({ id, rects: own }) => own.map((rect) => ({ ...rect, id })));
  await write(regionTable, numbered, generation, sql);
  await write(rectTable, rects, generation, sql);
}

/** Writes spawners with what they spawn. */
export async function insertSpawners(
  spawners: readonly AtlasSpawner[],
  { generation, first }: Rows,
  sql: Sql,
): Promise<void> {
  const numbered = spawners.map((spawner, at) => ({ ...spawner, id: first + at }));
  const entries = numbered.flatMap(({ id, entries: own }) =>
    own.map((entry, place) => ({ ...entry, id, place })),
  );
  await write(spawnerTable, numbered, generation, sql);
  await write(entryTable, entries, generation, sql);
}

/** A table, and the value of each of its columns; the generation stands before them. */
interface Table<Source> {
  readonly name: string;
  readonly columns: Readonly<Record<string, (source: Source) => CopyValue>>;
}

/** Of a region its own, of a rectangle that of its region, and so on. */
interface Numbered {
  readonly id: number;
}

const json = (value: object | null): string | null => value && JSON.stringify(value);

const regionTable: Table<AtlasRegion & Numbered> = {
  name: "atlas_regions",
  columns: {
    id: ({ id }) => id,
    key: ({ key }) => key,
    facet: ({ facet }) => facet,
    name: ({ name }) => name,
    type: ({ type }) => type,
    parent: ({ parent }) => parent,
    level: ({ level }) => level,
    priority: ({ priority }) => priority,
    go: ({ go }) => json(go),
    entrance: ({ entrance }) => json(entrance),
    music: ({ music }) => music,
    rune: ({ rune }) => rune,
    guarded: ({ guarded }) => guarded,
    housing: ({ housing }) => housing,
    logout_delay: ({ logoutDelay }) => logoutDelay,
    min_expansion: ({ minExpansion }) => minExpansion,
    max_expansion: ({ maxExpansion }) => maxExpansion,
    area: ({ area }) => area,
  },
};

const rectTable: Table<AtlasBox & Numbered> = {
  name: "atlas_rects",
  columns: {
    region_id: ({ id }) => id,
    x1: ({ x1 }) => x1,
    y1: ({ y1 }) => y1,
    z1: ({ z1 }) => z1,
    x2: ({ x2 }) => x2,
    y2: ({ y2 }) => y2,
    z2: ({ z2 }) => z2,
  },
};

const spawnerTable: Table<AtlasSpawner & Numbered> = {
  name: "atlas_spawners",
  columns: {
    id: ({ id }) => id,
    key: ({ key }) => key,
    facet: ({ facet }) => facet,
    name: ({ name }) => name,
    x: ({ x }) => x,
    y: ({ y }) => y,
    z: ({ z }) => z,
    rect: ({ rect }) => json(rect),
    home_range: ({ homeRange }) => homeRange,
    walk_range: ({ walkRange }) => walkRange,
    count: ({ count }) => count,
    min_delay_sec: ({ minDelaySec }) => minDelaySec,
    max_delay_sec: ({ maxDelaySec }) => maxDelaySec,
    running: ({ running }) => running,
    region: ({ region }) => region,
    source: ({ source }) => source,
  },
};

const entryTable: Table<AtlasEntry & Numbered & { readonly place: number }> = {
  name: "atlas_entries",
  columns: {
    spawner_id: ({ id }) => id,
    place: ({ place }) => place,
    type: ({ type }) => type,
    type_key: ({ typeKey }) => typeKey,
    max: ({ max }) => max,
    probability: ({ probability }) => probability,
    args: ({ args }) => args,
    min_delay_sec: ({ minDelaySec }) => minDelaySec,
    max_delay_sec: ({ maxDelaySec }) => maxDelaySec,
  },
};

function write<Source>(
  { name, columns }: Table<Source>,
  sources: readonly Source[],
  generation: number,
  sql: Sql,
): Promise<void> {
  const readers = Object.values(columns);
  const rows = sources.map((source) => [generation, ...readers.map((read) => read(source))]);
  return copyRows(`${name} (generation, ${Object.keys(columns).join(", ")})`, rows, sql);
}
