import { plainText } from "../../platform/texts/plain-text.ts";
import { shownName } from "./shown-name.ts";

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
