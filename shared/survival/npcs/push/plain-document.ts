import { isObject } from "../../../platform/bridge/json-text.ts";
import { plainText } from "../../../platform/texts/plain-text.ts";

/** No text of a profile is near this long. */
const longestText = 500;

/** A document of a game whose texts and names of fields are plain, as those of a frame are. */
export const plainDocument = (
  document: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(document).map(([field, value]) => [plain(field), plainValue(value)]),
  );

const plain = (given: string): string => plainText(given, longestText);

function plainValue(value: unknown): unknown {
  if (typeof value === "string") return plain(value);
  if (Array.isArray(value)) return value.map(plainValue);
  return isObject(value) ? plainDocument(value) : value;
}
