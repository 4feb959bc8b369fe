import type Joi from "joi";

import { checkAgainst } from "../../platform/bridge/check-payload.ts";
import { rejectEvent } from "../../platform/bridge/frame.ts";
import type { EventFrame, RejectedFrame, StreamFrame } from "../../platform/bridge/frames.ts";
import type { JsonObject } from "../../platform/bridge/json-text.ts";
import { findSurvivalKind } from "../kinds/kinds.ts";

/** A frame of the game whose payload is as its kind declares it. */
export interface CheckedEvent {
  readonly frame: EventFrame;
  readonly payload: JsonObject;
  /** Rows that are not in the payload because a value of theirs was odd. */
  readonly rowsLeftOut: number;
}

export interface CheckedFrames {
  /** What happened, which is stored. */
  readonly happenings: readonly CheckedEvent[];
  /** All of them, with the states between, in the order in which they came. */
  readonly events: readonly CheckedEvent[];
  readonly rejected: readonly RejectedFrame[];
  /** Frames that were taken in without some of their rows, for staff to see. */
  readonly shortened: readonly RejectedFrame[];
}

/** Checks every frame of a part against its kind; those that fail join the rejected ones. */
export function checkFrames(frames: readonly StreamFrame[]): CheckedFrames {
  const events: CheckedEvent[] = [];
  const rejected: RejectedFrame[] = [];
  const shortened: RejectedFrame[] = [];
  for (const frame of frames) {
    if (frame.type === "rejected") rejected.push(frame);
    if (frame.type !== "event") continue;
    const kind = findSurvivalKind(frame.kind);
    const checked = checkAgainst(kind?.payload, frame.payload);
    if ("payload" in checked) {
      events.push({ frame, payload: checked.payload, rowsLeftOut: 0 });
      continue;
    }
    const refused = rejectEvent(frame, "schema", checked.reason);
    const left = kind && withoutOddRows(kind.payload, frame.payload);
    if (left) events.push({ frame, ...left });
    (left ? shortened : rejected).push(refused);
  }
  return { events, rejected, shortened, happenings: events.filter(isHappening) };
}

/** A kind that a newer plugin brought is stored as well, for staff to see. */
export const isHappening = ({ frame }: CheckedEvent): boolean =>
  findSurvivalKind(frame.kind)?.isEvent ?? true;

/** A payload without the rows that its kind does not allow. */
interface Shortened {
  readonly payload: JsonObject;
  readonly rowsLeftOut: number;
}

/**
 * Leaves out the rows of a payload that hold an odd value, so that the others are not lost with them. Rows
 * are the entries of each list that a schema declares in the payload itself; a row is left out whole.
 * @returns undefined where an odd value stands outside of such a list
 */
function withoutOddRows(schema: Joi.ObjectSchema, given: JsonObject): Shortened | undefined {
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
