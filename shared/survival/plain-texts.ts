import { isObject } from "../platform/bridge/json-text.ts";
import { toPlainText } from "../platform/texts/plain-text.ts";

/** Maximum length of a name, in characters. */
export const maxNameLength = 64;

/** Returns a player's plain name, or the id if the name has no allowed character. */
export const displayName = (name: string, steamId: string): string =>
  toPlainText(name, maxNameLength) || steamId;

const maxTextLength = 512;

/** Makes all texts plain, because players and mods choose them. An empty name becomes the Steam id. */
export function cleanPayload(payload: Record<string, unknown>): Record<string, unknown> {
  const { steamId } = payload;
  return Object.fromEntries(
    Object.entries(payload).map(([field, value]) => [
      field,
      field === "name" && typeof value === "string" && typeof steamId === "string"
        ? displayName(value, steamId)
        : cleanValue(value),
    ]),
  );
}

function cleanValue(value: unknown): unknown {
  if (typeof value === "string") return toPlainText(value, maxTextLength);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (typeof value !== "object" || value === null) return value;
  return cleanPayload(value as Record<string, unknown>);
}

/** Maximum length of a text; real texts of profiles are much shorter. */
const maxDocumentTextLength = 500;

/** Makes the texts and field names of a game's document plain. */
export const cleanDocument = (
  document: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(document).map(([field, value]) => [
      plainInDocument(field),
      cleanDocumentValue(value),
    ]),
  );

const plainInDocument = (given: string): string => toPlainText(given, maxDocumentTextLength);

function cleanDocumentValue(value: unknown): unknown {
  if (typeof value === "string") return plainInDocument(value);
  if (Array.isArray(value)) return value.map(cleanDocumentValue);
  return isObject(value) ? cleanDocument(value) : value;
}
