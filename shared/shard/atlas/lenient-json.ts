import { isObject, type JsonObject, nestsDeeper } from "../../bridge/json-text.ts";
import { SourceFault } from "../../imports/source-fault.ts";
import { limits } from "../../limits.ts";

/**
 * The objects of a JSON array. ModernUO's reader takes comments and commas before a closing
 * bracket, so custom trees have them.
 * @throws {SourceFault} MALFORMED
 */
export function parseRecords(file: string, text: string): JsonObject[] {
  const value = parse(file, text);
  if (!Array.isArray(value)) throw new SourceFault("MALFORMED", `${file}: it holds no list`);
  if (nestsDeeper(value, limits.jsonDepth)) {
    throw new SourceFault("MALFORMED", `${file}: it nests deeper than ${limits.jsonDepth}`);
  }
  return value.filter(isObject).map(lowerKeys);
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parseStripped(file, text);
  }
}

function parseStripped(file: string, text: string): unknown {
  try {
    return JSON.parse(stripExtras(text));
  } catch (error) {
    throw new SourceFault("MALFORMED", `${file}: ${(error as Error).message}`);
  }
}

/** A string, a comment, or a comma with nothing but space and comments before what closes. */
const extras =
  /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*[\]}])/g;

const stripExtras = (text: string): string =>
  text.replaceAll(extras, (found) => (found.startsWith('"') ? found : " "));

/** The older generation writes its keys in lower case. */
export const lowerKeys = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toLowerCase(), inner]));
