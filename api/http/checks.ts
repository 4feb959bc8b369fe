import type Joi from "joi";

import { AppError, type Fault, invalidFields } from "../../shared/platform/errors/errors.ts";
import { pointedFaults, pointerTo } from "../../shared/platform/errors/pointer-faults.ts";
import { limits } from "../../shared/platform/limits.ts";

const options: Joi.ValidationOptions = {
  abortEarly: false,
  allowUnknown: true,
  stripUnknown: { objects: true },
  errors: { wrap: { label: false }, label: "path" },
};

/** How faults are told: with dots between the levels of a path, or by JSON pointers and codes. */
interface FaultStyle {
  ofSchema(this: void, error: Joi.ValidationError): Fault[];
  at(this: void, way: readonly string[], message: string): Fault;
}

const dotted: FaultStyle = {
  ofSchema: ({ details }) =>
    details.map(({ path, message, context }) => ({
      path: [...path, ...lackedBy(context)].join("."),
      message,
    })),
  at: (way, message) => ({ path: way.join("."), message }),
};

const pointed: FaultStyle = {
  ofSchema: pointedFaults,
  at: (way, message) => ({ path: pointerTo(way), code: "format", message }),
};

export const faultStyles = { dotted, pointed };
export type FaultStyleName = keyof typeof faultStyles;

/** The field that another one asks for: Joi finds that fault in the object around them. */
function lackedBy(context: Joi.Context | undefined): string[] {
  const { peer, missing } = (context ?? {}) as { peer?: string; missing?: string[] };
  return peer === undefined ? (missing ?? []).slice(0, 1) : [peer];
}

interface CheckOptions {
  /** Parameters and fields that may be any text at all. */
  readonly anyText?: readonly string[] | undefined;
  readonly style?: FaultStyle;
  /** Whether a field that the schema does not have is a fault; else it is dropped. */
  readonly refusesUnknown?: boolean | undefined;
  /** The settings that schemas of fields read, such as `imageContext`. */
  readonly site?: Joi.Context;
}

type TextOptions = Required<Pick<CheckOptions, "anyText" | "style">>;

/** Path and query parameters: text that is turned into what the schema says. */
export function checkText<T>(
  schema: Joi.ObjectSchema<T> | undefined,
  given: object,
  { anyText = [], style = dotted }: CheckOptions = {},
): T {
  if (!schema) return {} as T;
  checkValues(given, { anyText, style });
  const { value, error } = schema.validate(given, { ...options, convert: true });
  const faults = error ? style.ofSchema(error) : [];
  const odd = oddNumbers(given, value)
    .map((name) => style.at([name], `${name} must be written in plain digits`))
    .filter((one) => faults.every(({ path }) => path !== one.path));
  faults.push(...odd);
  if (faults.length > 0) throw invalidFields(faults);
  return value;
}

/** A thing has one address, so a number is written in one way: `1`, not `01`, `+1` or `1e0`. */
function oddNumbers(given: object, read: object | undefined): string[] {
  const texts = new Map(Object.entries(given));
  return Object.entries(read ?? {})
    .filter(([name, value]) => typeof value === "number" && texts.has(name))
    .filter(([name, value]) => texts.get(name) !== "" && texts.get(name) !== String(value))
    .map(([name]) => name);
}

/**
 * A JSON body: nothing is coerced, unknown fields are dropped or refused, every fault is named; of a body of more
 * values than forms have, the first, since each value may be a fault.
 */
export function checkBody<T>(
  schema: Joi.ObjectSchema<T>,
  given: unknown,
  { anyText = [], style = dotted, refusesUnknown = false, site = {} }: CheckOptions = {},
): T {
  const body = objectOf(given);
  const abortEarly = checkValues(body, { anyText, style }) > limits.formValues;
  const unknown = refusesUnknown ? { allowUnknown: false, stripUnknown: false } : {};
  const rules = { ...options, ...unknown, abortEarly, convert: false, context: site };
  const { value, error } = schema.validate(body, rules);
  if (error) throw invalidFields(style.ofSchema(error));
  if (refusesUnknown) refusePrototype(body, style);
  return value;
}

/** A request without a body has an empty one. */
function objectOf(given: unknown): object {
  const body = given === undefined ? {} : given;
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new AppError("malformed_body", "The body must be a JSON object");
  }
  return body;
}

function refusePrototype(body: object, style: FaultStyle): void {
  const way = prototypeIn(body);
  if (way) throw invalidFields([style.at(way, `${way.join(".")} is not allowed`)]);
}

/**
 * The way to a field `__proto__`. Joi copies the body, and assigning that name to the copy sets its
 * prototype instead of a field: it would slip through unchecked.
 */
function prototypeIn(body: object, at: readonly string[] = []): readonly string[] | undefined {
  for (const [name, item] of Object.entries(body)) {
    if (name === "__proto__") return [...at, name];
    const found = typeof item === "object" && item !== null && prototypeIn(item, [...at, name]);
    if (found) return found;
  }
  return undefined;
}

/**
 * PostgreSQL stores no NUL and no half of a surrogate pair, so such text is refused here. `readBody` has
 * bounded the depth.
 * @returns how many values there are, at all depths
 */
function checkValues(value: object, told: TextOptions, at: readonly string[] = []): number {
  let count = 0;
  for (const [key, item] of Object.entries(value)) {
    count += 1;
    if (!isGoodText(key) || (typeof item === "string" && !isGoodText(item))) {
      refuseText(key, told, [...at, key]);
    }
    if (typeof item === "object" && item !== null) {
      count += checkValues(item, told, [...at, key]);
    }
  }
  return count;
}

/** @throws AppError for bad text that the route does not take at this place */
function refuseText(key: string, { anyText, style }: TextOptions, place: readonly string[]): void {
  const path = place.join(".");
  if (isGoodText(key) && anyText?.includes(path)) return;
  throw invalidFields([style.at(place, `${path} must be well-formed text without NUL`)]);
}

const isGoodText = (text: string): boolean => text.isWellFormed() && !text.includes("\0");
