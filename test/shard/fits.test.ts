import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import Joi from "joi";

import { fitsAsIs } from "../../shared/shard/fits.ts";
import { findKind, kindNames } from "../../shared/shard/kinds.ts";
import { checkPayload } from "../../shared/shard/payload.ts";
import { samples } from "./samples.ts";

const schemaOf = (name: string): Joi.Schema => findKind(name)?.payload ?? Joi.any();

/** What Joi itself says, with the options that payloads are checked with. */
const judge = (schema: Joi.Schema, given: unknown): Joi.ValidationResult =>
  schema.validate(given, { allowUnknown: true, convert: false, presence: "required" });

/** A sample as it is stored: nothing of it is left to change. */
function stored(name: (typeof kindNames)[number]): object {
  const checked = checkPayload(name, samples[name]);
  if ("reason" in checked) throw new Error(checked.reason);
  return checked.payload;
}

const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom("", "0x40001A2B", "0x40001a2b", "0xFFFFFFFF", "x".repeat(501), "IDOC", "voting"),
  fc.constantFrom(0, -0, -1, 0.5, 2 ** 31, 2 ** 53, 2 ** 53 + 2, 1e308, Number.POSITIVE_INFINITY),
  fc.constantFrom(null, true, [], {}, { loc: {} }, { "": 1 }),
);

/** The sample with another value in one place, or one field more or fewer. */
const spoiled = (given: unknown): fc.Arbitrary<unknown> => {
  if (Array.isArray(given)) {
    const items = given.map((item, at) => spoiled(item).map((next) => given.with(at, next)));
    return fc.oneof(
      anyJson,
      ...items,
      anyJson.map((more) => [...given, more]),
    );
  }
  if (typeof given !== "object" || given === null) return anyJson;
  const entries = Object.entries(given);
  const changed = entries.map(([key, item]) =>
    spoiled(item).map((next) => ({ ...given, [key]: next })),
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

describe("what fits as it is", () => {
  it.each(kindNames)("is every stored %s, so that no sound event is checked slowly", (name) => {
    expect(fitsAsIs(schemaOf(name))(stored(name))).toBe(true);
  });

  it.each(kindNames)("is nothing of %s that its schema refuses or would change", (name) => {
    const schema = schemaOf(name);
    const fits = fitsAsIs(schema);
    fc.assert(
      fc.property(fc.oneof(spoiled(stored(name)), spoiled(samples[name])), (given) => {
        if (!fits(given)) return;
        const { value, error } = judge(schema, given) as { value: unknown; error?: Error };
        expect(error).toBeUndefined();
        expect(value).toStrictEqual(given);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["a type it does not know", Joi.date(), "2025-11-27"],
    ["a rule it does not know", Joi.string().uuid(), "0b0f4c0e-6a6b-4d9c-8f6e-1d2c3b4a5f60"],
    ["a bound that refers elsewhere", Joi.number().max(Joi.ref("a")), 1],
    ["a value that is filled in", Joi.string().default("x"), "y"],
    ["conditions", Joi.any().when("a", { is: 1, otherwise: Joi.string() }), "y"],
    ["values that are excluded", Joi.string().invalid("x"), "y"],
    ["alternatives that overlap", Joi.alternatives(Joi.number(), Joi.number().min(1)), 1],
    ["lists of several kinds of item", Joi.array().items(Joi.string(), Joi.number()), []],
    ["names of a pattern", Joi.object().pattern(/^a/, Joi.number()), {}],
    ["fields that depend on others", Joi.object({ a: Joi.any() }).with("a", "b"), { b: 1 }],
    ["an inverted pattern", Joi.string().pattern(/x/, { invert: true }), "y"],
    ["a field that is forbidden", Joi.object({ a: Joi.forbidden() }), { a: 1 }],
  ])("is never said of %s", (_what, schema: Joi.Schema, given) => {
    expect(fitsAsIs(schema)(given)).toBe(false);
  });
});
