import * as fc from "fast-check";
import type Joi from "joi";

/** Validates a value with Joi, with the options for payloads. */
export const validatePayload = (schema: Joi.Schema, given: unknown): Joi.ValidationResult =>
  schema.validate(given, { allowUnknown: true, convert: false, presence: "required" });

const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom("", "0x40001A2B", "0x40001a2b", "0xFFFFFFFF", "x".repeat(501), "IDOC", "voting"),
  fc.constantFrom("<b>bold</b>", "zero\u200Bwidth", "  ", "a\tb\nc", "Zoe\u0308", "7656119"),
  fc.constantFrom(0, -0, -1, 0.5, 2 ** 31, 2 ** 53, 2 ** 53 + 2, 1e308, Number.POSITIVE_INFINITY),
  fc.constantFrom(null, true, [], {}, { loc: {} }, { "": 1 }),
);

/** Generates copies of a value. In each, one value is changed, added or removed. */
export const anySpoiledPayload = (given: unknown): fc.Arbitrary<unknown> => {
  if (Array.isArray(given)) {
    const items = given.map((item, at) =>
      anySpoiledPayload(item).map((next) => given.with(at, next)),
    );
    return fc.oneof(
      anyJson,
      ...items,
      anyJson.map((more) => [...given, more]),
    );
  }
  if (typeof given !== "object" || given === null) return anyJson;
  const entries = Object.entries(given);
  const changed = entries.map(([key, item]) =>
    anySpoiledPayload(item).map((next) => ({ ...given, [key]: next })),
  );
  const without = entries.map(([key]) =>
    fc.constant(Object.fromEntries(entries.filter(([other]) => other !== key))),
  );
  const more = fc.tuple(fc.constantFrom("loc", "newer", "", "acct"), anyJson);
  return fc.oneof(
    anyJson,
    ...changed,
    ...without,
    more.map(([key, item]) => ({ ...given, [key]: item })),
  );
};
