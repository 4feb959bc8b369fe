import type { SkipReason } from "../../../imports/results/atlas.ts";
import type { AtlasEntry, AtlasRect, AtlasSpawner } from "../../calls/atlas-records.ts";
import { anyNumber, cleanText, contentKey, flagOf, wholeNumber } from "./fields.ts";
import type { AtlasSink, TextParser } from "./sink.ts";
import { readObjects, readObjects2 } from "./spawn-objects.ts";
import { createXmlParser } from "./xml.ts";

/** The elements of a spawner that are read; each may come more than once. */
const wanted: ReadonlySet<string> = new Set([
  "name",
  "uniqueid",
  "map",
  "x",
  "y",
  "width",
  "height",
  "centrex",
  "centrey",
  "centrez",
  "range",
  "maxcount",
  "mindelay",
  "maxdelay",
  "delayinsec",
  "isrunning",
  "objects2",
  "objects",
]);

type Values = ReadonlyMap<string, readonly string[]>;

/** Reads a dataset of XmlSpawner2, as ServUO keeps in `Spawns/*.xml`. */
export function createSpawnsXmlParser(file: string, sink: AtlasSink): TextParser {
  let values = new Map<string, string[]>();
  // The game reads every table of that name, however deep it lies.
  let depth: number | undefined;
  return createXmlParser(file, {
    open(name, _attributes, path) {
      if (name !== "points" || depth !== undefined) return;
      values = new Map();
      depth = path.length;
    },
    close(name, text, path) {
      if (depth === undefined) return;
      if (path.length === depth + 1 && wanted.has(name)) {
        const known = values.get(name);
        if (known) known.push(text);
        else values.set(name, [text]);
      }
      if (path.length !== depth) return;
      depth = undefined;
      const spawner = readSpawner(values, file, sink);
      if (typeof spawner === "string") sink.skip(spawner);
      else sink.spawner(spawner);
    },
  });
}

const first = (values: Values, name: string): string | undefined => values.get(name)?.[0];

function readSpawner(values: Values, file: string, sink: AtlasSink): AtlasSpawner | SkipReason {
  const facet = sink.facets.read(first(values, "map"));
  const x = wholeNumber(first(values, "centrex"));
  const y = wholeNumber(first(values, "centrey"));
  const z = wholeNumber(first(values, "centrez") ?? "0");
  if (facet === null) return "noFacet";
  if (x === undefined || y === undefined || z === undefined) return "noPosition";
  const range = wholeNumber(first(values, "range")) ?? 0;
  const entries = readEntries(values);
  const name = cleanText(first(values, "name"));
  const [minDelaySec, maxDelaySec] = readDelays(values);
  if (entries.length === 0 || minDelaySec > maxDelaySec) sink.warn();
  return {
    facet,
    key: cleanText(first(values, "uniqueid")) ?? contentKey(facet, name, x, y, z, entries),
    name,
    x,
    y,
    z,
    rect: readRect(values),
    homeRange: range,
    walkRange: range,
    count: wholeNumber(first(values, "maxcount")) ?? 0,
    minDelaySec,
    maxDelaySec,
    running: flagOf(first(values, "isrunning"), true),
    region: null,
    entries,
    source: file,
  };
}

/** The newer element holds whatever the older one did. */
function readEntries(values: Values): AtlasEntry[] {
  const newer = first(values, "objects2");
  if (newer?.trim()) return readObjects2(newer);
  return readObjects(first(values, "objects") ?? "");
}

/** Minutes, or seconds where the spawner says so. Some stock ones have `MinDelay` twice. */
function readDelays(values: Values): [number, number] {
  const unit = flagOf(first(values, "delayinsec"), false) ? 1 : 60;
  const [least, second] = values.get("mindelay") ?? [];
  const min = Math.max(0, anyNumber(least) ?? 0);
  const max = Math.max(0, anyNumber(first(values, "maxdelay") ?? second) ?? min);
  return [min * unit, max * unit];
}

/** Null without an extent: the spawner's range counts then. */
function readRect(values: Values): AtlasRect | null {
  const [x1, y1, width = 0, height = 0] = ["x", "y", "width", "height"].map((name) =>
    wholeNumber(first(values, name)),
  );
  if (x1 === undefined || y1 === undefined || width <= 0 || height <= 0) return null;
  const x2 = wholeNumber(x1 + width);
  const y2 = wholeNumber(y1 + height);
  return x2 === undefined || y2 === undefined ? null : { x1, y1, x2, y2 };
}
