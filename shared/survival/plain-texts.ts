import { isObject } from "../platform/bridge/json-text.ts";
import { plainText } from "../platform/texts/plain-text.ts";

/** Characters of a name. */
export const longestName = 64;

/** A player's name as it is shown; the id where nothing of the name is left. */
export const shownName = (name: string, steamId: string): string =>
  plainText(name, longestName) || steamId;

const longestText = 512;

/**
 * Players choose names and words, and mods pass them on in any field: of what leaves, every text is
 * plain, and a person without a name left is called by the Steam id.
 */
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

/** No text of a profile is near this long. */
const longestInDocument = 500;

/** A document of a game whose texts and names of fields are plain, as those of a frame are. */
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
