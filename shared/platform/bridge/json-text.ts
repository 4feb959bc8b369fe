import { limits } from "../limits.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The object that a JSON text holds, or nothing when it is no JSON, no object, or nests deeper than
 * `limits.jsonDepth`: what reads an object calls itself for each level.
 */
export function parseObject(text: string): JsonObject | undefined {
  const value = parseDeepObject(text);
  return value && !nestsDeeper(value, limits.jsonDepth) ? value : undefined;
}

/** The same at any depth. The caller must check the depth before it reads more than single fields. */
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

/** Whether a text opens enough arrays and objects for any to nest deeper than `levels`. */
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

/** Whether arrays and objects nest deeper than `levels`; a text or a number has no level. */
export function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  // By index: as names of fields the places of a list cost several times the looking.
  if (Array.isArray(value)) return value.some((inner) => nestsDeeper(inner, levels - 1));
  for (const key in value) {
    const inner = (value as JsonObject)[key];
    if (typeof inner === "object" && inner !== null && nestsDeeper(inner, levels - 1)) return true;
  }
  return false;
}

// PostgreSQL stores neither NUL nor a lone surrogate; in parsed JSON both come from these escapes.
const unstorableEscape = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * `value` with U+FFFD for each NUL and lone surrogate, in keys too.
 * @param text the well-formed text it was parsed from, which says whether there is anything to do
 */
export function storable<T>(value: T, text: string): T {
  return holdsUnstorable(text) ? cleaned(value) : value;
}

/** Whether PostgreSQL can store the texts of a JSON text only after `cleaned()`. */
export const holdsUnstorable = (text: string): boolean =>
  text.includes("\\u") && unstorableEscape.test(text);

/** A text with U+FFFD for each NUL and lone surrogate. */
export function storableText(text: string): string {
  const wellFormed = text.toWellFormed();
  // Checked first, since looking for a NUL is far faster than replacing none.
  return wellFormed.includes("\0") ? wellFormed.replaceAll("\0", "\uFFFD") : wellFormed;
}

/**
 * Parses a text whose integers may be longer than a number of JSON holds. V8 calls itself for each level to
 * visit the numbers, and JSON.parse does not: a text that nests too deep for that keeps rounded integers.
 */
function parseExactly(text: string): unknown {
  try {
    return JSON.parse(text, readExactly);
  } catch (error) {
    if (error instanceof RangeError) return JSON.parse(text);
    throw error;
  }
}

/** Digits that a number of JSON may lose; looked for first, since reading number by number is slow. */
const longInteger = /[[:,\s]-?\d{16,20}[\s,\]}]/;

/**
 * Reads an integer that a number of JSON cannot hold as the text of its digits. An integer that JSON's
 * number prints digit by digit stays a number.
 */
function readExactly(_name: string, value: unknown, told?: { readonly source?: string }): unknown {
  const { source = "" } = told ?? {};
  const isExact = typeof value !== "number" || Number.isSafeInteger(value);
  if (isExact || !/^-?\d{16,20}$/.test(source)) return value;
  return String(value) === source ? value : source;
}

/** The digits of a 64-bit integer, each of them as `parseObject` read it; any other value as it is. */
export const digitsOf = (given: unknown): unknown =>
  typeof given === "number" && Number.isInteger(given) && Math.abs(given) < 2 ** 64
    ? String(given)
    : given;

/** `value` with U+FFFD for each NUL and lone surrogate, in keys too. Calls itself for each level. */
export const cleaned = <T>(value: T): T => cleanedValue(value) as T;

function cleanedValue(value: unknown): unknown {
  if (typeof value === "string") return storableText(value);
  if (Array.isArray(value)) return value.map(cleanedValue);
  if (!isObject(value)) return value;
  // fromEntries defines each key as its own, so that `__proto__` stays a mere key.
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [storableText(key), cleanedValue(inner)]),
  );
}
