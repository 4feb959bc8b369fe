import { findKind } from "./kinds.ts";
import type { Fields } from "./view.ts";

export type CheckedPayload = { readonly payload: Fields } | { readonly reason: string };

/**
 * Holds a payload against its kind. What is given back is what is stored: serials, points and
 * "never" in their one spelling, and all that the kind does not declare as it came.
 * An unknown kind passes as it is; a refusal says what is wrong, and nothing throws.
 */
export function checkPayload(kind: string, payload: unknown): CheckedPayload {
  if (!isFields(payload)) return { reason: "payload must be an object" };
  const known = findKind(kind);
  if (!known) return { payload };
  const { value, error } = known.payload.validate(payload, {
    allowUnknown: true,
    convert: false,
    presence: "required",
    errors: { label: "path", wrap: { label: false } },
  });
  return error ? { reason: error.message } : { payload: value as Fields };
}

const isFields = (given: unknown): given is Fields =>
  typeof given === "object" && given !== null && !Array.isArray(given);
