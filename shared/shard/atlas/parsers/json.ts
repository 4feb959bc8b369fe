import {
  parse as parseJsonc,
  type ParseErrorCode,
  type ParseOptions,
  printParseErrorCode,
  visit,
} from "jsonc-parser";

import { SourceFault } from "../../../imports/results/source-fault.ts";
import { isObject, type JsonObject, nestsDeeper } from "../../../platform/bridge/json-text.ts";
import { limits } from "../../../platform/limits.ts";
import type { AtlasBox, AtlasPoint } from "../../calls/atlas-records.ts";
import { parseInteger } from "./fields.ts";
import { defaultRegionHeights } from "./region-parts.ts";
import type { AtlasSink } from "./sink.ts";

/** Parses a JSON array with comments and trailing commas, as ModernUO does. @throws {SourceFault} */
export function parseRecords(file: string, text: string, sink: AtlasSink): JsonObject[] {
  const value = parse(file, text);
  if (!Array.isArray(value)) throw new SourceFault("MALFORMED", `${file}: it holds no list`);
  if (nestsDeeper(value, limits.jsonDepth)) {
    throw new SourceFault("MALFORMED", `${file}: it nests deeper than ${limits.jsonDepth}`);
  }
  const records = value.filter(isObject);
  for (let left = value.length - records.length; left > 0; left -= 1) sink.skip("notARecord");
  return records.map(lowercaseKeys);
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parseLeniently(file, text);
  }
}

const extras: ParseOptions = { allowTrailingComma: true };

/** Called only if `JSON.parse` has failed: `JSON.parse` is several times faster and reads most files. */
function parseLeniently(file: string, text: string): unknown {
  try {
    // The parser collects every error, and a large file may consist of errors: stop at the first one.
    visit(text, { onError: (code, _at, _length, line) => refuse(file, code, line) }, extras);
    return parseJsonc(text, [], extras);
  } catch (error) {
    // The parser is recursive, so deep nesting overflows the stack.
    if (!(error instanceof RangeError)) throw error;
    throw new SourceFault("MALFORMED", `${file}: it nests too deep`);
  }
}

function refuse(file: string, code: ParseErrorCode, line: number): never {
  const what = printParseErrorCode(code);
  throw new SourceFault("MALFORMED", `${file}: line ${line + 1}: ${what}`);
}

/** Converts keys to lower case, as older versions of ModernUO write them. */
export const lowercaseKeys = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toLowerCase(), inner]));

/** Reads a point from an object, a list of numbers or a text of numbers; ModernUO accepts all three. */
export function readJsonPoint(value: unknown): AtlasPoint | null {
  const [x, y, z = 0] = isObject(value) ? fieldsOf(value, ["x", "y", "z"]) : numbersIn(value);
  return x === undefined || y === undefined ? null : { x, y, z };
}

/** Reads a rectangle from any of the notations that ModernUO accepts. */
export function readJsonBox(value: unknown): AtlasBox | undefined {
  if (!isObject(value)) return readSizedBox(numbersIn(value));
  const keys = lowercaseKeys(value);
  if ("start" in keys) return readCornerBox(keys["start"], keys["end"]);
  const [x1, y1, x2, y2, z1, z2] = fieldsOf(keys, ["x1", "y1", "x2", "y2", "z1", "z2"]);
  if (x1 !== undefined) return toBox({ x1, y1, x2, y2, z1, z2 });
  const width = keys["w"] ?? keys["width"];
  const height = keys["h"] ?? keys["height"];
  const depth = keys["d"] ?? keys["depth"];
  const [x, y, z] = fieldsOf(keys, ["x", "y", "z"]);
  return readSizedBox([x, y, z, ...[width, height, depth].map(parseInteger)]);
}

/** Reads a rectangle between two corners. The far corner is excluded, as in all rectangles of the atlas. */
function readCornerBox(start: unknown, end: unknown): AtlasBox | undefined {
  const [from, to] = [readJsonPoint(start), readJsonPoint(end)];
  if (!from || !to) return undefined;
  const heights = from.z === to.z ? defaultRegionHeights : { z1: from.z, z2: to.z };
  return toBox({ x1: from.x, y1: from.y, x2: to.x, y2: to.y, ...heights });
}

type Numbers = readonly (number | undefined)[];

/** Reads `x, y, width, height`, or `x, y, z, width, height, depth`. */
function readSizedBox(numbers: Numbers): AtlasBox | undefined {
  const flat =
    numbers.length === 4 ? [...numbers.slice(0, 2), undefined, ...numbers.slice(2)] : numbers;
  const [x, y, z, width, height, depth] = flat;
  if (x === undefined || y === undefined) return undefined;
  const z2 = z === undefined || depth === undefined ? undefined : z + depth;
  return toBox({
    x1: x,
    y1: y,
    x2: width === undefined ? undefined : x + width,
    y2: height === undefined ? undefined : y + height,
    z1: z2 === undefined ? undefined : z,
    z2,
  });
}

type Corners = { readonly [Side in keyof AtlasBox]: number | undefined };

function toBox({ x1, y1, x2, y2, z1, z2 }: Corners): AtlasBox | undefined {
  const [left, top, right, bottom] = [x1, y1, x2, y2].map(parseInteger);
  if (left === undefined || top === undefined) return undefined;
  if (right === undefined || bottom === undefined) return undefined;
  return {
    x1: left,
    y1: top,
    x2: right,
    y2: bottom,
    z1: parseInteger(z1) ?? defaultRegionHeights.z1,
    z2: parseInteger(z2) ?? defaultRegionHeights.z2,
  };
}

const fieldsOf = (value: Readonly<Record<string, unknown>>, names: readonly string[]): Numbers => {
  const keys = lowercaseKeys(value);
  return names.map((name) => parseInteger(keys[name]));
};

/** Reads numbers from a list or from a text such as `(1, 2, 3)`. */
function numbersIn(value: unknown): Numbers {
  const list = typeof value === "string" ? value.split(/[^\d.+-]+/).filter(Boolean) : value;
  return Array.isArray(list) ? list.slice(0, 6).map(parseInteger) : [];
}
