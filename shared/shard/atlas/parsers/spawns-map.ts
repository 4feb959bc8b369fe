import type { SkipReason } from "../../../imports/results/atlas.ts";
import type { AtlasEntry, AtlasSpawner } from "../../calls/atlas-records.ts";
import { parseNumber, cleanText, contentKey, parseInteger } from "./fields.ts";
import type { AtlasSink } from "./sink.ts";

/** Matches a directive, even if misspelled, that changes values of the following lines. */
const directive = /^over+ride(id|map|mintime|maxtime)\s+(-?\d+)/i;

type Overrides = Readonly<Partial<Record<string, number>>>;

/** Reads a map of Nerun's Distro: one spawner per line with up to six lists of types. */
export function readSpawnsMap(file: string, text: string, sink: AtlasSink): void {
  let overrides: Overrides = {};
  for (const line of text.split(/\r?\n|\r/)) {
    const [, name, value] = directive.exec(line.trim()) ?? [];
    if (name) overrides = { ...overrides, [name.toLowerCase()]: Number(value) };
    if (name || /^\s*(?:#.*)?$/.test(line)) continue;
    const spawners = readLine(line.split("|"), overrides, { file, sink });
    if (typeof spawners === "string") sink.skip(spawners);
    else for (const spawner of spawners) sink.spawner(spawner);
  }
}

const lists = 6;

interface Reading {
  readonly file: string;
  readonly sink: AtlasSink;
}

function readLine(
  fields: readonly string[],
  overrides: Overrides,
  { file, sink }: Reading,
): AtlasSpawner[] | SkipReason {
  if (fields[0] !== "*") return "notARecord";
  const at = (place: number): string | undefined => fields[place]?.trim();
  const [x, y, z] = [7, 8, 9].map((place) => parseInteger(at(place)));
  const map = overrides["map"] ?? parseInteger(at(10));
  const facets = map === undefined ? [] : facetsOf(map, sink);
  if (facets.length === 0) return "noFacet";
  if (x === undefined || y === undefined || z === undefined) return "noPosition";
  const entries = readEntries(fields);
  const [minDelaySec, maxDelaySec] = readDelays([at(11), at(12)], overrides);
  const homeRange = parseInteger(at(14)) ?? 0;
  return facets.map((facet) => ({
    facet,
    key: contentKey(file, facet, x, y, z, fields),
    name: null,
    x,
    y,
    z,
    rect: null,
    homeRange,
    walkRange: parseInteger(at(13)) ?? homeRange,
    count: countOf(fields),
    minDelaySec,
    maxDelaySec,
    running: true,
    region: null,
    entries,
    source: file,
  }));
}

/** 0 means Felucca and Trammel; any other number is the facet's index plus one. */
function facetsOf(map: number, sink: AtlasSink): string[] {
  if (map < 0 || map > 255) return [];
  const indexes = map === 0 ? [0, 1] : [map - 1];
  return indexes.map((index) => sink.facets.at(index)).filter((name) => name !== null);
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };

/** Delays are in minutes unless a letter names the unit. An override replaces the number, not the unit. */
function readDelays(
  texts: readonly (string | undefined)[],
  overrides: Overrides,
): [number, number] {
  const [min, max] = texts.map((text = "") => {
    const [, number, unit = "m"] = /^([^smh]*)([smh])?$/.exec(text) ?? [];
    return { number: parseNumber(number), seconds: unitSeconds[unit] ?? 60 };
  });
  const least = overrides["mintime"] ?? min?.number;
  const most = overrides["maxtime"] ?? max?.number;
  const minDelay = Math.max(0, least ?? 0) * (min?.seconds ?? 60);
  return [minDelay, most === undefined ? minDelay : Math.max(0, most) * (max?.seconds ?? 60)];
}

/** Returns how many creatures of a list may be alive at once. These numbers are the last fields of the line. */
const countAt = (fields: readonly string[], list: number): number =>
  Math.max(0, parseInteger(fields[16 + list]) ?? 0);

const countOf = (fields: readonly string[]): number =>
  Array.from({ length: lists }, (_, list) => countAt(fields, list)).reduce(
    (sum, one) => sum + one,
    0,
  );

function readEntries(fields: readonly string[]): AtlasEntry[] {
  return Array.from({ length: lists }, (_, list) => list).flatMap((list) =>
    (fields[1 + list] ?? "").split(":").flatMap((name) => {
      const type = cleanText(name);
      if (type === null) return [];
      const max = countAt(fields, list);
      const rest = { probability: null, args: null, minDelaySec: null, maxDelaySec: null };
      return [{ type, typeKey: type.toLowerCase(), max, ...rest }];
    }),
  );
}
