import type { SkipReason } from "../../../imports/results/atlas.ts";
import type { AtlasEntry, AtlasRect, AtlasSpawner } from "../../calls/atlas-records.ts";
import { parseNumber, cleanText, contentKey, parseFlag, parseInteger } from "./fields.ts";
import type { AtlasSink, TextParser } from "./sink.ts";
import { createXmlParser } from "./xml.ts";

/** The elements to read; each may occur several times. */
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

/** Parses a dataset of XmlSpawner2, as in ServUO's `Spawns/*.xml`. */
export function createSpawnsXmlParser(file: string, sink: AtlasSink): TextParser {
  let values = new Map<string, string[]>();
  // The depth of the current element `Points`. The game reads every element of this name at any depth.
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
  const x = parseInteger(first(values, "centrex"));
  const y = parseInteger(first(values, "centrey"));
  const z = parseInteger(first(values, "centrez") ?? "0");
  if (facet === null) return "noFacet";
  if (x === undefined || y === undefined || z === undefined) return "noPosition";
  const range = parseInteger(first(values, "range")) ?? 0;
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
    count: parseInteger(first(values, "maxcount")) ?? 0,
    minDelaySec,
    maxDelaySec,
    running: parseFlag(first(values, "isrunning"), true),
    region: null,
    entries,
    source: file,
  };
}

/** If both elements are present, `Objects2` contains all entries of `Objects`. */
function readEntries(values: Values): AtlasEntry[] {
  const newer = first(values, "objects2");
  if (newer?.trim()) return parseXmlSpawner2Entries(newer);
  return parseXmlSpawnerEntries(first(values, "objects") ?? "");
}

/** Delays are in minutes, or seconds if the spawner says so. Some stock spawners have `MinDelay` twice. */
function readDelays(values: Values): [number, number] {
  const unit = parseFlag(first(values, "delayinsec"), false) ? 1 : 60;
  const [least, second] = values.get("mindelay") ?? [];
  const min = Math.max(0, parseNumber(least) ?? 0);
  const max = Math.max(0, parseNumber(first(values, "maxdelay") ?? second) ?? min);
  return [min * unit, max * unit];
}

/** Returns the rectangle of a spawner; null if it has no extent, in which case its range applies. */
function readRect(values: Values): AtlasRect | null {
  const [x1, y1, width = 0, height = 0] = ["x", "y", "width", "height"].map((name) =>
    parseInteger(first(values, name)),
  );
  if (x1 === undefined || y1 === undefined || width <= 0 || height <= 0) return null;
  const x2 = parseInteger(x1 + width);
  const y2 = parseInteger(y1 + height);
  return x2 === undefined || y2 === undefined ? null : { x1, y1, x2, y2 };
}

const minuteSeconds = 60;

/** Maximum number of entries of a spawner; stock trees have at most 26. */
const maxEntries = 1_000;

/**
 * Reads entries of XmlSpawner2, with delays in minutes: `orc:MX=3:SB=0:…:OBJ=ettin:MX=1:…`. A truncated
 * tail loses only its own values, not the entry.
 */
export function parseXmlSpawner2Entries(text: string): AtlasEntry[] {
  return text.split(":OBJ=", maxEntries).flatMap((object) => {
    const end = object.search(/:[A-Z]{2}=/);
    const spec = end === -1 ? object : object.slice(0, end);
    const settings = object.slice(spec.length);
    const max = parseInteger(settingOf(settings, "MX")) ?? 1;
    const delays = [settingOf(settings, "DN"), settingOf(settings, "DX")].map(readDelay);
    return toEntry(spec, { max, delays });
  });
}

/** Returns the last value of a setting in `:MX=3:SB=0:…`. */
function settingOf(settings: string, name: string): string | undefined {
  const head = `:${name}=`;
  const at = settings.lastIndexOf(head);
  if (at === -1) return undefined;
  const end = settings.indexOf(":", at + head.length);
  return settings.slice(at + head.length, end === -1 ? undefined : end);
}

/** Reads entries of the first XmlSpawner: `Orc=3:Ettin=1`. */
export function parseXmlSpawnerEntries(text: string): AtlasEntry[] {
  return text.split(":", maxEntries).flatMap((object) => {
    const at = object.lastIndexOf("=");
    const max = at === -1 ? 1 : (parseInteger(object.slice(at + 1)) ?? 1);
    return toEntry(at === -1 ? object : object.slice(0, at), { max, delays: [] });
  });
}

function readDelay(text: string | undefined): number | null {
  const minutes = parseNumber(text);
  return minutes === undefined || minutes < 0 ? null : minutes * minuteSeconds;
}

interface EntryValues {
  readonly max: number;
  readonly delays: readonly (number | null)[];
}

/**
 * Parses the spec of an entry: a creature's type, which arguments or properties may follow. Returns an empty
 * list if the spec names no type.
 */
function toEntry(spec: string, { max, delays }: EntryValues): AtlasEntry[] {
  const end = spec.search(/[,/<]/);
  const type = cleanText(end === -1 ? spec : spec.slice(0, end));
  // A leading # marks a condition or a position in the spawner's own language.
  if (type === null || type.startsWith("#")) return [];
  return [
    {
      type,
      typeKey: type.toLowerCase(),
      max,
      probability: null,
      args: end === -1 ? null : cleanText(spec.slice(end)),
      minDelaySec: delays[0] ?? null,
      maxDelaySec: delays[1] ?? null,
    },
  ];
}
