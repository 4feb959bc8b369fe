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

/** A string, a comment, or anything else that a comma's fate may hang on. */
const tokens = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*|,|[\]}]|[^\s"/,\]}]+|[/"]/g;

/** Without comments, and without commas before what closes; what is left is for JSON itself. */
function stripExtras(text: string): string {
  const kept: string[] = [];
  tokens.lastIndex = 0;
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    const [token] = match;
    if (token.startsWith("//")) continue;
    if (token === "/*") {
      const end = text.indexOf("*/", tokens.lastIndex);
      if (end === -1) break;
      tokens.lastIndex = end + 2;
      continue;
    }
    if (/^[\]}]$/.test(token) && kept.at(-1) === ",") kept.pop();
    kept.push(token);
  }
  return kept.join(" ");
}

/** The older generation writes its keys in lower case. */
export const lowerKeys = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toLowerCase(), inner]));
