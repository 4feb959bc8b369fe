import type { SkipReason } from "../../../imports/results/atlas.ts";
import { isObject, type JsonObject } from "../../../platform/bridge/json-text.ts";
import type { AtlasEntry, AtlasRect, AtlasSpawner } from "../../calls/atlas-records.ts";
import { parseNumber, cleanText, contentKey, parseTimeSpan, parseInteger } from "./fields.ts";
import { lowercaseKeys, parseRecords, readJsonBox, readJsonPoint } from "./json.ts";
import type { AtlasSink } from "./sink.ts";

/** Reads a spawn file of ModernUO, old or new. */
export function readSpawnsJson(file: string, text: string, sink: AtlasSink): void {
  for (const record of parseRecords(file, text, sink)) {
    const spawner = readSpawner(record, file, sink);
    if (typeof spawner === "string") sink.skip(spawner);
    else sink.spawner(spawner);
  }
}

function readSpawner(record: JsonObject, file: string, sink: AtlasSink): AtlasSpawner | SkipReason {
  const facet = sink.facets.read(record["map"]);
  const place = readJsonPoint(record["location"]);
  if (facet === null) return "noFacet";
  if (!place) return "noPosition";
  const name = cleanText(record["name"]);
  const entries = readEntries(record["entries"]);
  const minDelaySec = parseTimeSpan(record["mindelay"]) ?? 0;
  const maxDelaySec = parseTimeSpan(record["maxdelay"]) ?? minDelaySec;
  if (entries.length === 0 || minDelaySec > maxDelaySec) sink.warn();
  const homeRange = rangeOf(record["homerange"]) ?? 0;
  return {
    facet,
    key: cleanText(record["guid"]) ?? contentKey(facet, name, place, entries),
    name,
    ...place,
    rect: readBounds(record["spawnbounds"]),
    homeRange,
    walkRange: rangeOf(record["walkingrange"]) ?? homeRange,
    count: parseInteger(record["count"]) ?? 0,
    minDelaySec,
    maxDelaySec,
    running: true,
    region: cleanText(record["region"]),
    entries,
    source: file,
  };
}

/** -1 means no range. */
function rangeOf(value: unknown): number | undefined {
  const range = parseInteger(value);
  return range === undefined || range < 0 ? undefined : range;
}

function readBounds(value: unknown): AtlasRect | null {
  const box = readJsonBox(value);
  return box ? { x1: box.x1, y1: box.y1, x2: box.x2, y2: box.y2 } : null;
}

const readEntries = (value: unknown): AtlasEntry[] =>
  (Array.isArray(value) ? value : []).filter(isObject).flatMap((given) => {
    const entry = lowercaseKeys(given);
    const type = cleanText(entry["name"]);
    if (type === null) return [];
    return {
      type,
      typeKey: type.toLowerCase(),
      max: parseInteger(entry["maxcount"]) ?? 1,
      probability: parseNumber(entry["probability"]) ?? null,
      args: cleanText(entry["parameters"]),
      minDelaySec: null,
      maxDelaySec: null,
    };
  });
