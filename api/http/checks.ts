import type Joi from "joi";

import { type Fault, invalid, invalidFields } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";

const options: Joi.ValidationOptions = {
  abortEarly: false,
  allowUnknown: true,
  stripUnknown: { objects: true },
  errors: { wrap: { label: false }, label: "path" },
};

function faultsOf(error: Joi.ValidationError): Fault[] {
  return error.details.map(({ path, message, context }) => ({
    path: [...path, ...lackedBy(context)].join("."),
    message,
  }));
}

/** The field that another one asks for: Joi finds that fault in the object around them. */
function lackedBy(context: Joi.Context | undefined): string[] {
  const { peer, missing } = (context ?? {}) as { peer?: string; missing?: string[] };
  return peer === undefined ? (missing ?? []).slice(0, 1) : [peer];
}

/**
 * Path and query parameters: text that is turned into what the schema says.
 * @param anyText those that may be any text at all
 */
export function checkText<T>(
  schema: Joi.ObjectSchema<T> | undefined,
  given: object,
  anyText: readonly string[] = [],
): T {
  if (!schema) return {} as T;
  refuseBadText(given, anyText);
  const { value, error } = schema.validate(given, { ...options, convert: true });
  if (error) throw invalidFields(faultsOf(error));
  return value;
}

/**
 * A JSON body: nothing is coerced, unknown fields are dropped, every fault is named.
 * @param anyText fields that may be any text at all
 */
export function checkBody<T>(
  schema: Joi.ObjectSchema<T>,
  given: unknown,
  anyText: readonly string[] = [],
): T {
  const body = given === undefined ? {} : given;
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw invalid("The body must be a JSON object");
  }
  refuseBadText(body, anyText);
  const { value, error } = schema.validate(body, { ...options, convert: false });
  if (error) throw invalidFields(faultsOf(error));
  return value;
}

/** PostgreSQL stores no NUL and no half of a surrogate pair, so such text is refused at the door. */
function refuseBadText(
  value: object,
  anyText: readonly string[],
  at: readonly string[] = [],
): void {
  if (at.length >= limits.jsonDepth) {
    throw invalid(`The body is nested deeper than ${limits.jsonDepth}`);
  }
  for (const [key, item] of Object.entries(value)) {
    const place = [...at, key];
    const path = place.join(".");
    if (typeof item === "object" && item !== null) refuseBadText(item, anyText, place);
    const isBad = typeof item === "string" && !isGoodText(item) && !anyText.includes(path);
    if (isBad || !isGoodText(key)) {
      throw invalidFields([{ path, message: `${path} must be well-formed text without NUL` }]);
    }
  }
}

const isGoodText = (text: string): boolean => text.isWellFormed() && !text.includes("\0");
