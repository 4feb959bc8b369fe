import type { SkipReason } from "../../../imports/results/atlas.ts";
import type { AtlasEntry, AtlasSpawner } from "../../calls/atlas-records.ts";
import { cleanText, contentKey, parseFlag, parseIsoDuration, parseInteger } from "./fields.ts";
import type { AtlasSink, TextParser } from "./sink.ts";
import { type Attributes, createXmlParser } from "./xml.ts";

const wanted: ReadonlySet<string> = new Set([
  "name",
  "count",
  "map",
  "mindelay",
  "maxdelay",
  "spawnrange",
  "homerange",
  "active",
]);

interface Draft {
  readonly values: Map<string, string>;
  location: Attributes;
}

const newDraft = (): Draft => ({ values: new Map(), location: {} });

/** Parses a file of X-RunUO's `Data/Spawns`. Each spawner has one type. */
export function createSpawnersXmlParser(file: string, sink: AtlasSink): TextParser {
  let draft = newDraft();
  return createXmlParser(file, {
    open(name, attributes, path) {
      if (path.length === 1 && name === "spawner") draft = newDraft();
      if (isPart(path) && name === "location") draft.location = attributes;
    },
    close(name, text, path) {
      if (isPart(path) && wanted.has(name)) draft.values.set(name, text);
      if (path.length !== 1) return;
      const spawner = name === "spawner" ? readSpawner(draft, file, sink) : "notARecord";
      if (typeof spawner === "string") sink.skip(spawner);
      else sink.spawner(spawner);
    },
  });
}

const isPart = (path: readonly string[]): boolean => path.length === 2 && path[1] === "spawner";

function readSpawner(
  { values, location }: Draft,
  file: string,
  sink: AtlasSink,
): AtlasSpawner | SkipReason {
  const facet = sink.facets.read(values.get("map"));
  const [x, y, z] = [location["x"], location["y"], location["z"] ?? "0"].map(parseInteger);
  if (facet === null) return "noFacet";
  if (x === undefined || y === undefined || z === undefined) return "noPosition";
  const count = Math.max(0, parseInteger(values.get("count")) ?? 1);
  const entries = readEntries(values.get("name"), count);
  const minDelaySec = parseIsoDuration(values.get("mindelay")) ?? 0;
  const maxDelaySec = parseIsoDuration(values.get("maxdelay")) ?? minDelaySec;
  if (entries.length === 0 || minDelaySec > maxDelaySec) sink.warn();
  return {
    facet,
    key: contentKey(facet, x, y, z, entries),
    name: null,
    x,
    y,
    z,
    rect: null,
    ...readRanges(values),
    count,
    minDelaySec,
    maxDelaySec,
    running: parseFlag(values.get("active"), true),
    region: null,
    entries,
    source: file,
  };
}

/** X-RunUO stores the creature's type in the spawner's name. */
function readEntries(name: string | undefined, max: number): AtlasEntry[] {
  const type = cleanText(name);
  if (type === null) return [];
  const rest = { probability: null, args: null, minDelaySec: null, maxDelaySec: null };
  return [{ type, typeKey: type.toLowerCase(), max, ...rest }];
}

/** X-RunUO calls the home range, in which creatures appear, the spawn range. */
function readRanges(values: Draft["values"]): Pick<AtlasSpawner, "homeRange" | "walkRange"> {
  const homeRange = rangeOf(values.get("spawnrange")) ?? 0;
  return { homeRange, walkRange: rangeOf(values.get("homerange")) ?? homeRange };
}

function rangeOf(text: string | undefined): number | undefined {
  const range = parseInteger(text);
  return range === undefined || range < 0 ? undefined : range;
}
