import { isObject } from "../platform/bridge/json-text.ts";
import { plainText } from "../platform/texts/plain-text.ts";

/** Characters of a name. */
export const longestName = 64;

/** Returns a player's name for display, or the id if no character of the name is allowed. */
export const shownName = (name: string, steamId: string): string =>
  plainText(name, longestName) || steamId;

const longestText = 512;

/** Makes all texts plain, as players and mods choose them. An empty name becomes the Steam id. */
export function plainPayload(payload: Record<string, unknown>): Record<string, unknown> {
  const { steamId } = payload;
  return Object.fromEntries(
    Object.entries(payload).map(([field, value]) => [
      field,
      field === "name" && typeof value === "string" && typeof steamId === "string"
        ? shownName(value, steamId)
        : plainValue(value),
    ]),
  );
}

function plainValue(value: unknown): unknown {
  if (typeof value === "string") return plainText(value, longestText);
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== "object" || value === null) return value;
  return plainPayload(value as Record<string, unknown>);
}

/** Texts of a profile are much shorter. */
const longestInDocument = 500;

/** Makes the texts and field names of a game's document plain. */
export const plainDocument = (
  document: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(document).map(([field, value]) => [plainInDocument(field), plainPart(value)]),
  );

const plainInDocument = (given: string): string => plainText(given, longestInDocument);

function plainPart(value: unknown): unknown {
  if (typeof value === "string") return plainInDocument(value);
  if (Array.isArray(value)) return value.map(plainPart);
  return isObject(value) ? plainDocument(value) : value;
}
