import type { JsonObject } from "../../platform/bridge/json-text.ts";
import { findSurvivalKind } from "./kinds.ts";

/** Maximum length in characters of a payload that is stored with undeclared fields. */
const maxUndeclaredLength = 16 * 1024;

/**
 * Maximum stored number. PostgreSQL writes JSON numbers without an exponent, so `1e308` would become 309 digits.
 */
const maxNumber = 1e20;
const minNumber = 1e-20;
const extremeNumberPattern = /\de[+-]\d\d/;

/**
 * Returns the text in which a payload is stored. Readers load it whole, so undeclared fields are kept
 * only in short payloads. Extreme numbers are clamped.
 * @param textOf converts a payload to text
 */
export function serializeStoredPayload(
  kind: string,
  payload: JsonObject,
  textOf: (payload: JsonObject) => string = JSON.stringify,
): string {
  const text = textOf(payload);
  const kept =
    text.length <= maxUndeclaredLength ? text : textOf(removeUndeclaredFields(kind, payload));
  return extremeNumberPattern.test(kept) ? JSON.stringify(JSON.parse(kept), clampNumber) : kept;
}

function clampNumber(_field: string, value: unknown): unknown {
  if (typeof value !== "number") return value;
  if (Math.abs(value) < minNumber) return 0;
  return Math.max(-maxNumber, Math.min(maxNumber, value));
}

/** Returns only the declared fields, at any depth. Undeclared fields are stored but never shown. */
export function removeUndeclaredFields(
  kind: string,
  payload: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const declared = findSurvivalKind(kind)?.payload;
  if (!declared) return {};
  // Ignore errors: an older release may have stored a payload that the schema refuses now.
  const { value } = declared.validate(payload, {
    stripUnknown: { objects: true },
    convert: false,
    abortEarly: false,
  });
  return value as Readonly<Record<string, unknown>>;
}
