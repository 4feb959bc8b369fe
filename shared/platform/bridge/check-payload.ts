import type Joi from "joi";

import { fitsAsIs } from "./fits.ts";
import { isObject, type JsonObject } from "./json-text.ts";

export type CheckedPayload = { readonly payload: JsonObject } | { readonly reason: string };

/**
 * Checks a payload against its kind's schema. The answer is what is stored, with fields that the
 * schema does not declare as they came. Without a schema the payload passes as it is; a refusal says
 * what is wrong, and nothing throws.
 */
export function checkAgainst(
  schema: Joi.ObjectSchema | undefined,
  payload: unknown,
): CheckedPayload {
  if (!isObject(payload)) return { reason: "payload must be an object" };
  if (!schema || fits(schema, payload)) return { payload };
  const { value, error } = schema.validate(payload, {
    allowUnknown: true,
    convert: false,
    presence: "required",
    errors: { label: "path", wrap: { label: false } },
  });
  return error ? { reason: error.message } : { payload: value as JsonObject };
}

const compiled = new WeakMap<Joi.Schema, ReturnType<typeof fitsAsIs>>();

function fits(schema: Joi.Schema, payload: JsonObject): boolean {
  const known = compiled.get(schema) ?? fitsAsIs(schema);
  compiled.set(schema, known);
  return known(payload);
}
