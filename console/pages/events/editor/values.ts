import type { ParamType } from "../types.ts";

const numeric = new Set<ParamType>(["integer", "number", "duration"]);

export const isNumberType = (type: ParamType): boolean => numeric.has(type);

/** Returns the text that a field shows for a value. */
export function textOfValue(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.map(textOfValue).join(", ");
  const { map, x, y, z, ...rest } = value as Readonly<Record<string, unknown>>;
  const isPlace = typeof map === "string" && Object.keys(rest).length === 0;
  if (!isPlace) return JSON.stringify(value);
  return [map, x, y, z]
    .filter((part) => part !== undefined)
    .map(String)
    .join(" ");
}

/** Reads a number. A text that is no number stays as it is, so that the service reports the fault. */
export const parseNumber = (text: string): number | string =>
  /^\s*-?\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : text;

/** Reads a value of a type from a typed text. Templates and malformed texts stay as they are. */
export function parseValue(type: ParamType, text: string): unknown {
  if (text === "") return undefined;
  if (isNumberType(type)) return parseNumber(text);
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  return type === "location" ? parsePlace(text) : text;
}

function parsePlace(text: string): unknown {
  const [, map, x, y, z] = /^\s*(\S+)\s+(-?\d+)\s+(-?\d+)(?:\s+(-?\d+))?\s*$/.exec(text) ?? [];
  if (map === undefined) return text;
  return { map, x: Number(x), y: Number(y), ...(z !== undefined && { z: Number(z) }) };
}

/** Reads a list of values that commas separate. */
export const parseList = (type: ParamType, text: string): readonly unknown[] =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .map((one) => parseValue(type, one));
