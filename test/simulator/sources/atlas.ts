import { createRandom } from "../random.ts";
import type { RandomSource } from "../random.ts";
import { facets, towns } from "../world/places.ts";
import type { Facet } from "../world/places.ts";
import { creatureTypes } from "./creatures.ts";
import { pagedSource, sha256 } from "./source.ts";
import type { PagedSource } from "./source.ts";

interface Rect {
  readonly x1: number;
  readonly y1: number;
  readonly z1: number;
  readonly x2: number;
  readonly y2: number;
  readonly z2: number;
}

interface AtlasRegion {
  readonly facet: string;
  readonly name: string | null;
  readonly key: string;
  readonly [field: string]: unknown;
}

interface AtlasSpawner {
  readonly facet: string;
  readonly key: string;
  readonly source: string;
  readonly [field: string]: unknown;
}

type AtlasRecord =
  | { readonly region: AtlasRegion; readonly spawner?: undefined }
  | { readonly spawner: AtlasSpawner; readonly region?: undefined };

interface AtlasFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

export interface Atlas extends PagedSource<AtlasRecord> {
  readonly files: () => readonly AtlasFile[];
  readonly counts: { readonly regions: number; readonly spawners: number };
}

const regionsFile = "Data/Regions.xml";
const spawnsFile = (facet: string): string => `Spawns/${facet.toLowerCase()}.xml`;

/**
 * Creates regions and then spawners. The records have the form that all sources of an atlas share.
 */
export function createAtlas(seed: string, regions: number, spawners: number): Atlas {
  const source = pagedSource(`${seed} atlas ${regions} ${spawners}`, (version) =>
    makeAtlas(createRandom(`${seed}/atlas/${version}`), regions, spawners),
  );
  const paths = [regionsFile, ...facets.map(({ name }) => spawnsFile(name))];
  return {
    get rows() {
      return source.rows;
    },
    fingerprint: source.fingerprint,
    change: source.change,
    counts: { regions, spawners },
    files: () =>
      paths.map((path, index) => ({
        path,
        size: 60_000 + index * 1_000,
        sha256: sha256(`${source.fingerprint()} ${path}`),
      })),
  };
}

function makeAtlas(random: RandomSource, regionCount: number, spawnerCount: number): AtlasRecord[] {
  const regions: AtlasRegion[] = [];
  for (let index = 0; index < regionCount; index++) {
    const facet = facets[index % facets.length] as Facet;
    const parent =
      index % 4 === 3 ? regions.findLast((one) => one.facet === facet.name) : undefined;
    regions.push(createRegion({ index, facet, parent, random }));
  }
  const spawners = Array.from({ length: spawnerCount }, (_, index) =>
    createSpawner(index, regions, random),
  );
  return [...regions.map((region) => ({ region })), ...spawners.map((spawner) => ({ spawner }))];
}

interface RegionGiven {
  readonly index: number;
  readonly facet: Facet;
  readonly parent: AtlasRegion | undefined;
  readonly random: RandomSource;
}

function createRegion({ index, facet, parent, random }: RegionGiven): AtlasRegion {
  const name = regionName(index, parent);
  const rects = Array.from({ length: index === 7 ? 20 : random.int(1, 3) }, (_, rect) =>
    createRect(facet, random, index === 5 && rect === 0),
  );
  const first = rects[0] as Rect;
  return {
    facet: facet.name,
    name,
    type: index % 5 === 0 ? null : random.pick(["TownRegion", "DungeonRegion", "NoHousingRegion"]),
    parent: parent === undefined ? null : (parent.name ?? parent.key),
    level: parent === undefined ? 0 : 1,
    priority: 50,
    rects,
    go: index % 4 === 1 ? null : { x: first.x1, y: first.y1, z: 0 },
    entrance: index % 7 === 2 ? { x: first.x1, y: first.y1, z: -5, map: "Felucca" } : null,
    music: index % 4 === 0 ? "Britain1" : null,
    rune: index % 9 === 0 ? `the city of ${name}` : null,
    guarded: index % 3 === 0,
    housing: index % 2 === 0,
    logoutDelay: index % 6 !== 0,
    minExpansion: null,
    maxExpansion: null,
    area: rects.reduce((sum, { x1, y1, x2, y2 }) => sum + (x2 - x1) * (y2 - y1), 0),
    key: sha256(`${facet.name}|${parent?.key ?? ""}|${index}|${JSON.stringify(rects)}`).slice(
      0,
      40,
    ),
  };
}

/**
 * Returns the name of a region. Names occur on several facets, some contain an apostrophe, and one
 * in eight is missing.
 */
function regionName(index: number, parent: AtlasRegion | undefined): string | null {
  if (index % 8 === 6) return null;
  if (parent !== undefined) return `The Inn of ${index}`;
  const town = towns[Math.floor(index / facets.length)];
  return town?.region ?? `Hollow ${Math.floor(index / facets.length)}`;
}

/** Returns a rectangle that excludes its upper bounds. Some rectangles are empty, as in real files. */
function createRect(facet: Facet, random: RandomSource, isEmpty: boolean): Rect {
  const x1 = random.int(0, facet.width - 200);
  const y1 = random.int(0, facet.height - 200);
  const x2 = isEmpty ? x1 : x1 + random.int(8, 180);
  return { x1, y1, z1: -128, x2, y2: y1 + random.int(8, 180), z2: 128 };
}

function createSpawner(
  index: number,
  regions: readonly AtlasRegion[],
  random: RandomSource,
): AtlasSpawner {
  const facet = random.pick(facets);
  const [x, y] = [random.int(40, facet.width - 40), random.int(40, facet.height - 40)];
  const region = regions.length > 0 && random.chance(0.6) ? random.pick(regions) : undefined;
  const minDelaySec = random.pick([60, 300, 300, 1_200]);
  return {
    facet: facet.name,
    key: random.uuid(),
    name: index % 11 === 4 ? null : random.pick(["Spawner", `Spawner (${index})`]),
    x,
    y,
    z: random.chance(0.22) ? random.int(-90, -1) : random.int(0, 60),
    rect: index % 6 === 0 ? null : { x1: x - 5, y1: y - 5, x2: x + 5, y2: y + 5 },
    homeRange: random.pick([0, 5, 10, 30, 50]),
    walkRange: random.pick([5, 10, 30]),
    count: random.int(0, 20),
    minDelaySec,
    maxDelaySec: minDelaySec * 2,
    running: index % 97 !== 5,
    region: region?.facet === facet.name ? region.name : null,
    entries: Array.from({ length: random.int(index % 50 === 9 ? 0 : 1, 6) }, () => entry(random)),
    source: spawnsFile(facet.name),
  };
}

const oddTypes = ["TreasureLevel1", "OrcCamp", "pumpkin", "set", "NoSuchBeast", "EscortableMage"];

/**
 * Returns an entry of a spawner. Its creature is spelled in upper or lower case, because the game
 * ignores case.
 */
function entry(random: RandomSource): Record<string, unknown> {
  const name = random.chance(0.03) ? random.pick(oddTypes) : random.pick(creatureTypes);
  const type = random.chance(0.5) ? name : (name[0] as string).toUpperCase() + name.slice(1);
  return {
    type,
    typeKey: type.toLowerCase(),
    max: random.int(1, 10),
    probability: random.chance(0.3) ? 100 : null,
    args: random.chance(0.02) ? "{RND,4,8}" : null,
    minDelaySec: null,
    maxDelaySec: null,
  };
}
