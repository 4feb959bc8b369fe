import type Joi from "joi";

import { checkAgainst } from "../../platform/bridge/check-payload.ts";
import type { RejectedFrame } from "../../platform/bridge/frames.ts";
import type { JsonObject } from "../../platform/bridge/json-text.ts";
import type { CheckedEvent, JudgedPayload } from "../../platform/ingest/check-frames.ts";
import { findSurvivalKind } from "../kinds/kinds.ts";

/**
 * Checks a payload against its kind. Rows of its lists that the kind does not allow are left out, and
 * the others are kept.
 */
export function checkPayload(name: string, given: JsonObject): JudgedPayload {
  const kind = findSurvivalKind(name);
  const checked = checkAgainst(kind?.payload, given);
  if ("payload" in checked || !kind) return checked;
  return { ...withoutOddRows(kind.payload, given), reason: checked.reason };
}

/** A kind that a newer plugin brought is stored as well, for staff to see. */
export const isHappening = ({ frame }: Pick<CheckedEvent, "frame">): boolean =>
  findSurvivalKind(frame.kind)?.isEvent ?? true;

/**
 * Leaves out the rows of a payload that hold an odd value, so that the others are not lost with them. Rows
 * are the entries of each list that a schema declares in the payload itself; a row is left out whole.
 * @returns undefined where an odd value stands outside of such a list
 */
function withoutOddRows(
  schema: Joi.ObjectSchema,
  given: JsonObject,
): { readonly payload: JsonObject; readonly rowsLeftOut: number } | undefined {
  const odd = findOddRows(schema, given);
  if (!odd) return undefined;
  const shortened = Object.entries(given).map(([name, value]) => {
    const places = odd.get(name);
    const isCut = places !== undefined && Array.isArray(value);
    return [name, isCut ? value.filter((_row, place) => !places.has(place)) : value];
  });
  const checked = checkAgainst(schema, Object.fromEntries(shortened));
  if ("reason" in checked) return undefined;
  const rowsLeftOut = [...odd.values()].reduce((sum, { size }) => sum + size, 0);
  return { payload: checked.payload, rowsLeftOut };
}

/** The places of odd rows by the name of their list. */
function findOddRows(
  schema: Joi.ObjectSchema,
  given: JsonObject,
): ReadonlyMap<string, ReadonlySet<number>> | undefined {
  const { error } = schema.validate(given, {
    abortEarly: false,
    allowUnknown: true,
    convert: false,
    presence: "required",
    // Nobody reads the messages, and a frame may hold a hundred thousand odd rows.
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

/**
 * Where players are is written nowhere, a plugin's words may quote its configuration, and a hash of a
 * short code tells the code to whoever tries them all.
 */
const secretKinds = ["map.live", "config.outcome", "link.minted"];

/** A refused frame as it may be kept: of what is secret or personal neither an excerpt nor a value. */
export function withoutSecrets(frame: RejectedFrame): RejectedFrame {
  // Of a text whose kind cannot be read nobody knows what it tells, and its payload may stand first.
  if (frame.kind === null) return { ...frame, excerpt: "" };
  const isSecret =
    secretKinds.some((kind) => frame.kind === kind || frame.excerpt.includes(kind)) ||
    namesPersonalFields(frame.excerpt);
  if (!isSecret) return frame;
  const { detail, ...kept } = frame;
  return { ...kept, excerpt: "", ...(frame.reason === "schema" && { detail: fieldOf(detail) }) };
}

/** The field that is wrong; what it held may be part of the fault's words. */
const fieldOf = (detail = ""): string => detail.split(" ", 1)[0] ?? "";

/** What leads to a person outside the game: addresses, pictures, and what Steam says of an account. */
const personalName = String.raw`(?:(?:remote_?|ip_?)?address|ip|avatar\w*|vac\w*)`;
const isPersonal = new RegExp(`^${personalName}$`, "i");
const namesPersonal = new RegExp(`"${personalName}"`, "i");

/** Whether a text, which may be the beginning of one of JSON, names what is personal. */
const namesPersonalFields = (text: string): boolean => namesPersonal.test(text);

/** A payload as JSON. What is personal in it is no business of the site, and is not kept. */
export function textWithoutPersonalFields(payload: object): string {
  const text = JSON.stringify(payload);
  if (!namesPersonalFields(text)) return text;
  return JSON.stringify(payload, (field, value: unknown) =>
    isPersonal.test(field) ? undefined : value,
  );
}
