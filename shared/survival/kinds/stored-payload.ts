import type { JsonObject } from "../../platform/bridge/json-text.ts";
import { findSurvivalKind } from "./kinds.ts";

/** Characters of a payload's text up to which what its kind does not declare is kept as well. */
const freeLength = 16 * 1024;

/** The database writes numbers of JSON out, digit by digit: of `1e308` it would make 309 characters. */
const farthest = 1e20;
const nearest = 1e-20;
const mayBeFar = /\de[+-]\d\d/;

/**
 * The text of a payload as it is stored. Pages read it whole: what a server adds that nobody declared is kept
 * while there is little of it, and no number is longer than it was told.
 * @param textOf how a payload is written
 */
export function keptText(
  kind: string,
  payload: JsonObject,
  textOf: (payload: JsonObject) => string = JSON.stringify,
): string {
  const text = textOf(payload);
  const kept = text.length <= freeLength ? text : textOf(declaredPayload(kind, payload));
  return mayBeFar.test(kept) ? JSON.stringify(JSON.parse(kept), nearBy) : kept;
}

function nearBy(_field: string, value: unknown): unknown {
  if (typeof value !== "number") return value;
  if (Math.abs(value) < nearest) return 0;
  return Math.max(-farthest, Math.min(farthest, value));
}

/**
 * What leaves of a stored payload: the fields that its kind declares, at any depth. What a newer plugin
 * adds, and all that a kind holds which nobody declared, is kept and told to nobody.
 */
export function declaredPayload(
  kind: string,
  payload: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const declared = findSurvivalKind(kind)?.payload;
  if (!declared) return {};
  // An older release may have stored what this one would refuse: that is no reason to show more.
  const { value } = declared.validate(payload, {
    stripUnknown: { objects: true },
    convert: false,
    abortEarly: false,
  });
  return value as Readonly<Record<string, unknown>>;
}
