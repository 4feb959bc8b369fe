import type Joi from "joi";

import { isObject } from "../bridge/json-text.ts";
import { fitsAsIs } from "./fits.ts";
import { findKind } from "./kinds.ts";
import type { Fields } from "./view.ts";

export type CheckedPayload = { readonly payload: Fields } | { readonly reason: string };

/**
 * Holds a payload against its kind. What is given back is what is stored: serials, points and
 * "never" in their one spelling, and all that the kind does not declare as it came.
 * An unknown kind passes as it is; a refusal says what is wrong, and nothing throws.
 */
export function checkPayload(kind: string, payload: unknown): CheckedPayload {
  if (!isObject(payload)) return { reason: "payload must be an object" };
  const known = findKind(kind);
  if (!known || fits(known.payload, payload)) return { payload };
  const { value, error } = known.payload.validate(payload, {
    allowUnknown: true,
    convert: false,
    presence: "required",
    errors: { label: "path", wrap: { label: false } },
  });
  return error ? { reason: error.message } : { payload: value as Fields };
}

const compiled = new WeakMap<Joi.Schema, ReturnType<typeof fitsAsIs>>();

function fits(schema: Joi.Schema, payload: Fields): boolean {
  const known = compiled.get(schema) ?? fitsAsIs(schema);
  compiled.set(schema, known);
  return known(payload);
}
