import type Joi from "joi";

import { checkPayloadAgainstSchema } from "../../platform/bridge/check-payload.ts";
import type { RejectedFrame } from "../../platform/bridge/frames.ts";
import type { JsonObject } from "../../platform/bridge/json-text.ts";
import type { CheckedEvent, PayloadCheckResult } from "../../platform/ingest/check-frames.ts";
import { findSurvivalKind } from "../kinds/kinds.ts";

/** Checks a payload against its kind. Removes only the invalid rows of its lists. */
export function checkPayload(name: string, given: JsonObject): PayloadCheckResult {
  const kind = findSurvivalKind(name);
  const checked = checkPayloadAgainstSchema(kind?.payload, given);
  if ("payload" in checked || !kind) return checked;
  return { ...removeInvalidRows(kind.payload, given), reason: checked.reason };
}

/** True for events, false for states. Unknown kinds of newer plugins are stored as events for staff. */
export const isEventFrame = ({ frame }: Pick<CheckedEvent, "frame">): boolean =>
  findSurvivalKind(frame.kind)?.isEvent ?? true;

/**
 * Removes the rows of a payload that contain an invalid value, so that the valid rows are kept. Rows are the
 * entries of the lists at the top level of the schema.
 * @returns undefined if an invalid value is outside these lists
 */
function removeInvalidRows(
  schema: Joi.ObjectSchema,
  given: JsonObject,
): { readonly payload: JsonObject; readonly rowsLeftOut: number } | undefined {
  const odd = findInvalidRows(schema, given);
  if (!odd) return undefined;
  const shortened = Object.entries(given).map(([name, value]) => {
    const places = odd.get(name);
    const isCut = places !== undefined && Array.isArray(value);
    return [name, isCut ? value.filter((_row, place) => !places.has(place)) : value];
  });
  const checked = checkPayloadAgainstSchema(schema, Object.fromEntries(shortened));
  if ("reason" in checked) return undefined;
  const rowsLeftOut = [...odd.values()].reduce((sum, { size }) => sum + size, 0);
  return { payload: checked.payload, rowsLeftOut };
}

/** Returns the indexes of invalid rows, by the name of the list. */
function findInvalidRows(
  schema: Joi.ObjectSchema,
  given: JsonObject,
): ReadonlyMap<string, ReadonlySet<number>> | undefined {
  const { error } = schema.validate(given, {
    abortEarly: false,
    allowUnknown: true,
    convert: false,
    presence: "required",
    // Do not render messages: nobody reads them, and a frame may contain 100,000 invalid rows.
    errors: { render: false },
  });
  const odd = new Map<string, Set<number>>();
  for (const { path } of error?.details ?? []) {
    const [list, place] = path;
    if (typeof list !== "string" || typeof place !== "number") return undefined;
    odd.set(list, (odd.get(list) ?? new Set()).add(place));
  }
  return odd;
}

/** Kinds with confidential data: positions, texts that may quote secrets, hashes of short codes. */
const kindsWithSecrets = ["map.live", "config.outcome", "link.minted"];

/** Prepares a rejected frame for storage. Removes the excerpt and the values of a confidential frame. */
export function maskFrameSecrets(frame: RejectedFrame): RejectedFrame {
  // If the kind is unreadable, the excerpt may contain secrets of any kind.
  if (frame.kind === null) return { ...frame, excerpt: "" };
  const isSecret =
    kindsWithSecrets.some((kind) => frame.kind === kind || frame.excerpt.includes(kind)) ||
    hasPersonalFields(frame.excerpt);
  if (!isSecret) return frame;
  const { detail, ...kept } = frame;
  return {
    ...kept,
    excerpt: "",
    ...(frame.reason === "schema" && { detail: readFaultField(detail) }),
  };
}

/** Returns only the name of the invalid field, because the message may quote its value. */
const readFaultField = (detail = ""): string => detail.split(" ", 1)[0] ?? "";

/** Names of fields that identify a person outside the game: addresses, avatars, VAC bans. */
const personalName = String.raw`(?:(?:remote_?|ip_?)?address|ip|avatar\w*|vac\w*)`;
const isPersonal = new RegExp(`^${personalName}$`, "i");
const namesPersonal = new RegExp(`"${personalName}"`, "i");

/** Returns true if a text, possibly the start of a JSON text, contains a personal field. */
const hasPersonalFields = (text: string): boolean => namesPersonal.test(text);

/** Returns a payload as JSON without personal fields, which the site must not store. */
export function stringifyWithoutPersonalFields(payload: object): string {
  const text = JSON.stringify(payload);
  if (!hasPersonalFields(text)) return text;
  return JSON.stringify(payload, (field, value: unknown) =>
    isPersonal.test(field) ? undefined : value,
  );
}
