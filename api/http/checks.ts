import type Joi from "joi";

import { AppError, type Fault, invalidFieldsError } from "../../shared/platform/errors/errors.ts";
import { pointerFaultsOf, toJsonPointer } from "../../shared/platform/errors/pointer-faults.ts";
import { limits } from "../../shared/platform/limits.ts";

const options: Joi.ValidationOptions = {
  abortEarly: false,
  allowUnknown: true,
  stripUnknown: { objects: true },
  errors: { wrap: { label: false }, label: "path" },
};

/** The format of faults: dotted paths, or JSON pointers with codes. */
interface FaultStyle {
  ofSchema(this: void, error: Joi.ValidationError): Fault[];
  at(this: void, way: readonly string[], message: string): Fault;
}

const dotted: FaultStyle = {
  ofSchema: ({ details }) =>
    details.map(({ path, message, context }) => ({
      path: [...path, ...missingPeers(context)].join("."),
      message,
    })),
  at: (way, message) => ({ path: way.join("."), message }),
};

const pointed: FaultStyle = {
  ofSchema: pointerFaultsOf,
  at: (way, message) => ({ path: toJsonPointer(way), code: "format", message }),
};

export const faultStyles = { dotted, pointed };
export type FaultStyleName = keyof typeof faultStyles;

/** Returns the missing field that another field requires. Joi reports this fault for the enclosing object. */
function missingPeers(context: Joi.Context | undefined): string[] {
  const { peer, missing } = (context ?? {}) as { peer?: string; missing?: string[] };
  return peer === undefined ? (missing ?? []).slice(0, 1) : [peer];
}

interface CheckOptions {
  /** Parameters and fields that may contain text which PostgreSQL cannot store. */
  readonly anyText?: readonly string[] | undefined;
  readonly style?: FaultStyle;
  /** True if unknown fields are a fault; otherwise they are dropped. */
  readonly refusesUnknown?: boolean | undefined;
  /** The settings that field schemas read, such as `createImageRuleContext`. */
  readonly site?: Joi.Context;
}

type TextOptions = Required<Pick<CheckOptions, "anyText" | "style">>;

/** Checks path or query parameters and converts them to the types of the schema. */
export function checkParameters<T>(
  schema: Joi.ObjectSchema<T> | undefined,
  given: object,
  { anyText = [], style = dotted }: CheckOptions = {},
): T {
  if (!schema) return {} as T;
  checkValues(given, { anyText, style });
  const { value, error } = schema.validate(given, { ...options, convert: true });
  const faults = error ? style.ofSchema(error) : [];
  const odd = nonCanonicalNumbers(given, value)
    .map((name) => style.at([name], `${name} must be written in plain digits`))
    .filter((one) => faults.every(({ path }) => path !== one.path));
  faults.push(...odd);
  if (faults.length > 0) throw invalidFieldsError(faults);
  return value;
}

/**
 * Finds numbers that are not written in plain digits, such as `01`, `+1` and `1e0`. Refusing them gives each
 * object one URL.
 */
function nonCanonicalNumbers(given: object, read: object | undefined): string[] {
  const texts = new Map(Object.entries(given));
  return Object.entries(read ?? {})
    .filter(([name, value]) => typeof value === "number" && texts.has(name))
    .filter(([name, value]) => texts.get(name) !== "" && texts.get(name) !== String(value))
    .map(([name]) => name);
}

/**
 * Checks a JSON body without converting types, and reports every fault. Unknown fields are dropped or refused.
 * For a body with more values than any HTML form, only the first fault is reported, which bounds the answer.
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
  if (error) throw invalidFieldsError(style.ofSchema(error));
  if (refusesUnknown) refusePrototype(body, style);
  return value;
}

/** Returns the body as an object; an empty object without a body. @throws AppError for a list or a plain value */
function objectOf(given: unknown): object {
  const body = given === undefined ? {} : given;
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new AppError("malformed_body", "The body must be a JSON object");
  }
  return body;
}

function refusePrototype(body: object, style: FaultStyle): void {
  const way = prototypeIn(body);
  if (way) throw invalidFieldsError([style.at(way, `${way.join(".")} is not allowed`)]);
}

/**
 * Finds a field `__proto__`. Joi copies the fields of a body; copying this field would change the prototype of
 * the copy, which is not checked.
 */
function prototypeIn(body: object, at: readonly string[] = []): readonly string[] | undefined {
  for (const [name, item] of Object.entries(body)) {
    if (name === "__proto__") return [...at, name];
    const found = typeof item === "object" && item !== null && prototypeIn(item, [...at, name]);
    if (found) return found;
  }
  return undefined;
}

/** Refuses NUL and unpaired surrogates, which PostgreSQL cannot store. @returns the number of values at all depths */
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

/** @throws AppError unless the route accepts any text at this path */
function refuseText(key: string, { anyText, style }: TextOptions, place: readonly string[]): void {
  const path = place.join(".");
  if (isGoodText(key) && anyText?.includes(path)) return;
  throw invalidFieldsError([style.at(place, `${path} must be well-formed text without NUL`)]);
}

const isGoodText = (text: string): boolean => text.isWellFormed() && !text.includes("\0");
