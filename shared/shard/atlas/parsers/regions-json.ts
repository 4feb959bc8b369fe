import { isObject, type JsonObject } from "../../../platform/bridge/json-text.ts";
import type { AtlasBox, AtlasRegion } from "../../calls/atlas-records.ts";
import { cleanText, parseFlag, parseInteger } from "./fields.ts";
import { lowercaseKeys, parseRecords, readJsonBox, readJsonPoint } from "./json.ts";
import { toRegion } from "./region-parts.ts";
import type { AtlasSink } from "./sink.ts";

interface ListedRegion {
  readonly facet: string;
  readonly name: string | null;
  readonly record: JsonObject;
  readonly parent: { readonly facet: string; readonly name: string } | null;
}

/** Reads ModernUO's `regions.json` of older and newer versions: a flat list whose regions name their parents. */
export function readRegionsJson(file: string, text: string, sink: AtlasSink): void {
  const listed: ListedRegion[] = [];
  for (const record of parseRecords(file, text, sink)) {
    const facet = sink.facets.read(record["map"]);
    if (facet === null) {
      sink.skip("noFacet");
      continue;
    }
    const parent = readParent(record, facet, sink);
    listed.push({ facet, name: cleanText(record["name"]), record, parent });
  }
  const byName = new Map(listed.map((one) => [keyOf(one.facet, one.name), one]));
  for (const one of listed) sink.region(readRegion(one, parentsOf(one, byName), sink));
}

const keyOf = (facet: string, name: string | null): string => `${facet}\n${name}`;

function readParent(record: JsonObject, facet: string, sink: AtlasSink): ListedRegion["parent"] {
  const given = record["parent"];
  const { name: own, map = facet } = isObject(given) ? lowercaseKeys(given) : { name: given };
  const name = cleanText(own);
  const parentFacet = sink.facets.read(map);
  return name === null || parentFacet === null ? null : { facet: parentFacet, name };
}

const maxDepth = 16;

/** Returns the names of the enclosing regions, the outermost first. A limit ends a cycle of parents. */
function parentsOf(one: ListedRegion, byName: ReadonlyMap<string, ListedRegion>): string[] {
  const names: string[] = [];
  for (let { parent } = one; parent && names.length < maxDepth;) {
    names.unshift(parent.name);
    parent = byName.get(keyOf(parent.facet, parent.name))?.parent ?? null;
  }
  return names;
}

function readRegion(
  { facet, name, record }: ListedRegion,
  parents: string[],
  sink: AtlasSink,
): AtlasRegion {
  const entrance = readJsonPoint(record["entrance"]);
  const map = sink.facets.read(record["entrancemap"] ?? facet);
  const withoutDelay = record["nologoutdelay"];
  return toRegion({
    facet,
    name,
    type: cleanText(record["$type"] ?? record["type"]),
    parents,
    priority: parseInteger(record["priority"]) ?? 50,
    rects: readRects(record["area"] ?? record["rects"], sink),
    go: readJsonPoint(record["golocation"] ?? record["go"]),
    entrance: entrance && map !== null ? { ...entrance, map } : null,
    music: cleanText(record["music"]),
    rune: cleanText(record["runename"] ?? record["rune"]),
    guardsDisabled: parseFlag(record["guardsdisabled"], false),
    noHousing: false,
    logoutDelay:
      withoutDelay === undefined
        ? parseFlag(record["logoutdelay"], true)
        : !parseFlag(withoutDelay, false),
    minExpansion: cleanText(record["minexpansion"]),
    maxExpansion: cleanText(record["maxexpansion"]),
  });
}

function readRects(value: unknown, sink: AtlasSink): AtlasBox[] {
  const rects = (Array.isArray(value) ? value : []).map(readJsonBox);
  const sound = rects.filter((rect) => rect !== undefined);
  if (sound.length < rects.length) sink.warn();
  return sound;
}
