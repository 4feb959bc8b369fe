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
import type { AtlasSink } from "./sink.ts";

/**
 * The objects of a JSON array. ModernUO's reader takes comments and commas before a closing
 * bracket, so custom trees have them.
 * @throws {SourceFault} MALFORMED
 */
export function parseRecords(file: string, text: string, sink: AtlasSink): JsonObject[] {
  const value = parse(file, text);
  if (!Array.isArray(value)) throw new SourceFault("MALFORMED", `${file}: it holds no list`);
  if (nestsDeeper(value, limits.jsonDepth)) {
    throw new SourceFault("MALFORMED", `${file}: it nests deeper than ${limits.jsonDepth}`);
  }
  const records = value.filter(isObject);
  for (let left = value.length - records.length; left > 0; left -= 1) sink.skip("notARecord");
  return records.map(lowerKeys);
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parseLeniently(file, text);
  }
}

const extras: ParseOptions = { allowTrailingComma: true };

/** Used only where `JSON.parse` fails: that one is several times faster, and reads most files. */
function parseLeniently(file: string, text: string): unknown {
  try {
    // The parser collects every error, and a large file may consist of errors: stop at the first one.
    visit(text, { onError: (code, _at, _length, line) => refuse(file, code, line) }, extras);
    return parseJsonc(text, [], extras);
  } catch (error) {
    // The parser calls itself for each level, so deep nesting overflows the stack.
    if (!(error instanceof RangeError)) throw error;
    throw new SourceFault("MALFORMED", `${file}: it nests too deep`);
  }
}

function refuse(file: string, code: ParseErrorCode, line: number): never {
  const what = printParseErrorCode(code);
  throw new SourceFault("MALFORMED", `${file}: line ${line + 1}: ${what}`);
}

/** The older generation writes its keys in lower case. */
export const lowerKeys = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toLowerCase(), inner]));
