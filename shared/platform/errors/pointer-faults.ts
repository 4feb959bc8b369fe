import type Joi from "joi";

import type { Fault } from "./errors.ts";

/** CATALOGUE of the codes of faults in documents, such as the spec of an event. */
export const faultCodes = [
  "required",
  "type",
  "unknown",
  "duplicate",
  "limit",
  "template",
  "range",
  "format",
  "never_fires",
  "taken",
  "state",
] as const;
export type FaultCode = (typeof faultCodes)[number];

/** A fault whose path is a JSON pointer (RFC 6901). */
export interface PointerFault extends Fault {
  readonly code: FaultCode;
}

export const toJsonPointer = (way: readonly (string | number)[]): string =>
  way.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

const codes: Readonly<Record<string, FaultCode>> = {
  "any.required": "required",
  "string.empty": "required",
  "object.unknown": "unknown",
  "any.only": "unknown",
  "any.unknown": "unknown",
  "number.integer": "type",
  "number.unsafe": "range",
  "number.infinity": "range",
  "number.min": "range",
  "number.max": "range",
  "string.pattern.base": "format",
  "string.min": "limit",
  "string.max": "limit",
  "array.min": "limit",
  "array.max": "limit",
  "object.max": "limit",
  "array.unique": "duplicate",
};

const codeOf = (type: string): FaultCode =>
  codes[type] ?? (type.endsWith(".base") ? "type" : "format");

export const pointerFaultsOf = ({ details }: Joi.ValidationError): PointerFault[] =>
  details.map(({ path, message, type }) => ({
    path: toJsonPointer(path),
    code: codeOf(type),
    message,
  }));

/**
 * Joins the faults of two checks. Faults of the second check inside values that the first check refused are
 * omitted.
 */
export function mergeFaults<F extends Fault>(first: readonly F[], second: readonly F[]): F[] {
  const refused = new Set(first.map(({ path }) => path));
  return [...first, ...second.filter(({ path }) => !isWithin(path, refused))];
}

/** Returns true if `refused` contains the pointer or one of its parents. */
function isWithin(path: string, refused: ReadonlySet<string>): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (refused.has(path.slice(0, end))) return true;
  }
  return false;
}
