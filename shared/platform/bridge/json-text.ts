import { limits } from "../limits.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Parses a JSON object. Returns undefined for any other text and for nesting deeper than
 * `limits.jsonDepth`, because readers of the object recurse once per level.
 */
export function parseObject(text: string): JsonObject | undefined {
  const value = parseDeepObject(text);
  return value && !nestsDeeper(value, limits.jsonDepth) ? value : undefined;
}

/** Parses a JSON object of any depth. The caller must check the depth before it reads nested fields. */
export function parseDeepObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = longInteger.test(text) ? parseExactly(text) : JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns true if a text has enough opening brackets to nest deeper than `levels`. */
export function mayNestDeeper(text: string, levels: number): boolean {
  let opened = 0;
  for (const bracket of ["{", "["]) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      opened += 1;
      if (opened > levels) return true;
    }
  }
  return false;
}

/** Returns true if arrays and objects nest deeper than `levels`. A text or a number adds no level. */
export function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  // Read lists by index, because `for in` over a list takes several times as long.
  if (Array.isArray(value)) return value.some((inner) => nestsDeeper(inner, levels - 1));
  for (const key in value) {
    const inner = (value as JsonObject)[key];
    if (typeof inner === "object" && inner !== null && nestsDeeper(inner, levels - 1)) return true;
  }
  return false;
}

// The JSON escapes of NUL and of lone surrogates, which PostgreSQL cannot store.
const unstorableEscape = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * Replaces each NUL and lone surrogate in a value and its keys with U+FFFD.
 * @param text the JSON text of the value; if the text has no such escapes, the value is returned unchanged
 */
export function toStorableJson<T>(value: T, text: string): T {
  return hasUnstorableCharacters(text) ? replaceUnstorableCharacters(value) : value;
}

/** Returns true if a JSON text contains a NUL or a lone surrogate. */
export const hasUnstorableCharacters = (text: string): boolean =>
  text.includes("\\u") && unstorableEscape.test(text);

/** Replaces each NUL and lone surrogate with U+FFFD. */
export function toStorableText(text: string): string {
  const wellFormed = text.toWellFormed();
  // Test with `includes` first: it is much faster than a replacement that finds nothing.
  return wellFormed.includes("\0") ? wellFormed.replaceAll("\0", "\uFFFD") : wellFormed;
}

/**
 * Parses a text with integers that a JSON number cannot hold. V8 recurses once per level to visit the numbers, so
 * if a text has too many levels, its long integers stay rounded.
 */
function parseExactly(text: string): unknown {
  try {
    return JSON.parse(text, reviveInteger);
  } catch (error) {
    if (error instanceof RangeError) return JSON.parse(text);
    throw error;
  }
}

/** A number with enough digits to be rounded. Test for it first, because the exact parser is slow. */
const longInteger = /[[:,\s]-?\d{16,20}[\s,\]}]/;

/** Returns the digits of an integer as text if a JavaScript number cannot hold it. */
function reviveInteger(
  _name: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  const { source = "" } = context ?? {};
  const isExact = typeof value !== "number" || Number.isSafeInteger(value);
  if (isExact || !/^-?\d{16,20}$/.test(source)) return value;
  return String(value) === source ? value : source;
}

/** Returns the digits of a 64-bit integer that `parseObject` has read; other values unchanged. */
export const stringifyLongInteger = (given: unknown): unknown =>
  typeof given === "number" && Number.isInteger(given) && Math.abs(given) < 2 ** 64
    ? String(given)
    : given;

/** Replaces each NUL and lone surrogate with U+FFFD, in keys too. Recurses once per level. */
export const replaceUnstorableCharacters = <T>(value: T): T => replaceInValue(value) as T;

function replaceInValue(value: unknown): unknown {
  if (typeof value === "string") return toStorableText(value);
  if (Array.isArray(value)) return value.map(replaceInValue);
  if (!isObject(value)) return value;
  // `fromEntries` defines each key as an own property, so `__proto__` stays a plain key.
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [toStorableText(key), replaceInValue(inner)]),
  );
}
