import type Joi from "joi";

import { AppError, type Fault, invalidFields } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { pointedFaults, pointerTo } from "../../shared/pointer-faults.ts";

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
  /** What fields ask of the site, such as `imageContext`. */
  readonly site?: Joi.Context;
}

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
 * A JSON body: nothing is coerced, unknown fields are dropped, every fault is named; of a body of more
 * values than forms have, the first, since each value may be a fault.
 */
export function checkBody<T>(
  schema: Joi.ObjectSchema<T>,
  given: unknown,
  { anyText = [], style = dotted, site = {} }: CheckOptions = {},
): T {
  const body = given === undefined ? {} : given;
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new AppError("malformed_body", "The body must be a JSON object");
  }
  const abortEarly = checkValues(body, { anyText, style }) > limits.formValues;
  const { value, error } = schema.validate(body, {
    ...options,
    abortEarly,
    convert: false,
    context: site,
  });
  if (error) throw invalidFields(style.ofSchema(error));
  return value;
}

/** How bad text is told. */
type Told = Required<Pick<CheckOptions, "anyText" | "style">>;

/**
 * PostgreSQL stores no NUL and no half of a surrogate pair, so such text is refused here. `readBody` has
 * bounded the depth.
 * @returns how many values there are, at all depths
 */
function checkValues(value: object, told: Told, at: readonly string[] = []): number {
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
function refuseText(key: string, { anyText, style }: Told, place: readonly string[]): void {
  const path = place.join(".");
  if (isGoodText(key) && anyText?.includes(path)) return;
  throw invalidFields([style.at(place, `${path} must be well-formed text without NUL`)]);
}

const isGoodText = (text: string): boolean => text.isWellFormed() && !text.includes("\0");
