import * as fc from "fast-check";
import Joi from "joi";
import { describe, expect, it } from "vitest";

import { compileSchema, undecided } from "../../shared/platform/bridge/check-payload.ts";
import { parseSerial, serialField } from "../../shared/platform/bridge/serial.ts";
import { checkPayload, findShardKind, kindNames } from "../../shared/shard/kinds/kinds.ts";
import { accountNameField, accountPasswordField } from "../../shared/shard/links/game-accounts.ts";
import { validatePayload, anySpoiledPayload } from "../support/shard/spoiled-payloads.ts";
import { samples } from "./samples.ts";

describe("parseSerial", () => {
  it.each([
    ["0x40001A2B", "0x40001A2B"],
    ["0x40001a2b", "0x40001A2B"],
    ["0X1f", "0x0000001F"],
    ["0x1", "0x00000001"],
    ["0x00000001", "0x00000001"],
    ["0x7FFFFFFF", "0x7FFFFFFF"],
  ])("normalizes %s to %s", (given, written) => {
    expect(parseSerial(given)).toBe(written);
  });

  it.each([
    ["zero", "0x0"],
    ["zero in eight digits", "0x00000000"],
    ["a number above the highest serial", "0x80000000"],
    ["the game's value for no serial", "0xFFFFFFFF"],
    ["nine digits", "0x040001A2B"],
    ["no digits", "0x"],
    ["no prefix", "40001A2B"],
    ["decimal", "1073748523"],
    ["other letters", "0x4000G"],
    ["space around it", " 0x1"],
    ["a line break after it", "0x1\n"],
    ["a sign", "-0x1"],
    ["nothing", ""],
  ])("refuses %s", (_, given) => {
    expect(parseSerial(given)).toBeUndefined();
  });

  it("gives every serial one spelling, whatever its case and padding", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 0x7fff_ffff }),
        fc.integer({ min: 1, max: 8 }),
        fc.boolean(),
        (number, digits, upper) => {
          const hex = number.toString(16).padStart(digits, "0");
          const written = parseSerial(`0x${upper ? hex.toUpperCase() : hex}`);
          expect(written).toMatch(/^0x[0-9A-F]{8}$/);
          expect(Number(written)).toBe(number);
          expect(parseSerial(written ?? "")).toBe(written);
        },
      ),
    );
  });

  it("returns a serial or undefined for any text and never throws", () => {
    fc.assert(
      fc.property(fc.string(), (given) => {
        expect(parseSerial(given) ?? "0x00000001").toMatch(/^0x[0-9A-F]{8}$/);
      }),
    );
  });
});

describe("serial", () => {
  const schema = Joi.object<{ serial: string }, true>({ serial: serialField().required() });

  it("returns the canonical spelling", () => {
    expect(schema.validate({ serial: "0xa001" })).toEqual({ value: { serial: "0x0000A001" } });
  });

  it.each(["0x0", "0xFFFFFFFF", "maple"])("refuses %s and says what it expects", (given) => {
    expect(schema.validate({ serial: given }).error?.message).toBe(
      '"serial" must be a serial such as 0x40001A2B',
    );
  });

  it.each([40_961, null, true, ["0x1"], {}])("refuses a value that is not text (%j)", (given) => {
    expect(schema.validate({ serial: given }).error?.message).toBe('"serial" must be a string');
  });

  it("is described as a string in the JSON schema", () => {
    expect(schema["~standard"].jsonSchema.input({ target: "draft-2020-12" })["properties"]).toEqual(
      { serial: { type: "string", minLength: 1 } },
    );
  });
});

const schemaOf = (name: string): Joi.Schema => findShardKind(name)?.payload ?? Joi.any();

/** Returns the sample of a kind as the service stores it. */
function stored(name: (typeof kindNames)[number]): object {
  const checked = checkPayload(name, samples[name]);
  if ("reason" in checked) throw new Error(checked.reason);
  return checked.payload;
}

describe("the compiled schema of a payload", () => {
  it.each(kindNames)("returns every stored %s itself, so that Joi need not check it", (name) => {
    const given = stored(name);
    expect(compileSchema(schemaOf(name))(given)).toBe(given);
  });

  it.each(kindNames)(
    "accepts no %s that its schema refuses, and changes it as its schema",
    (name) => {
      const schema = schemaOf(name);
      const read = compileSchema(schema);
      fc.assert(
        fc.property(
          fc.oneof(anySpoiledPayload(stored(name)), anySpoiledPayload(samples[name])),
          (given) => {
            const value = read(given);
            const expected = value === undecided ? { value } : validatePayload(schema, given);
            expect({ value }).toStrictEqual(expected);
          },
        ),
        { numRuns: 300 },
      );
    },
  );

  it.each([
    ["an unknown type", Joi.date(), "2025-11-27"],
    ["an unknown rule", Joi.string().uuid(), "0b0f4c0e-6a6b-4d9c-8f6e-1d2c3b4a5f60"],
    ["a bound that refers to another field", Joi.number().max(Joi.ref("a")), 1],
    ["a default value", Joi.string().default("x"), "y"],
    ["conditions", Joi.any().when("a", { is: 1, otherwise: Joi.string() }), "y"],
    ["values that are excluded", Joi.string().invalid("x"), "y"],
    ["alternatives that overlap", Joi.alternatives(Joi.number(), Joi.number().min(1)), 1],
    ["an alternative of any type", Joi.alternatives(Joi.string().uuid(), Joi.any()), 1],
    ["a method that returns nothing", Joi.any().custom(() => undefined), 1],
    ["lists of several kinds of item", Joi.array().items(Joi.string(), Joi.number()), []],
    ["field names by a pattern", Joi.object().pattern(/^a/, Joi.number()), {}],
    ["fields that depend on others", Joi.object({ a: Joi.any() }).with("a", "b"), { b: 1 }],
    ["an inverted pattern", Joi.string().pattern(/x/, { invert: true }), "y"],
    ["a field that is forbidden", Joi.object({ a: Joi.forbidden() }), { a: 1 }],
  ])("decides nothing if the schema has %s", (_what, schema: Joi.Schema, given) => {
    expect(compileSchema(schema)(given)).toBe(undecided);
  });
});

/** Checks a name character by character, as the game does. */
function gameTakesName(name: string): boolean {
  const isForbidden = (char: string) => char <= " " || char > "~" || '<>:"/\\|?*'.includes(char);
  return (
    name !== "" && name.length <= 30 && !name.endsWith(".") && !name.split("").some(isForbidden)
  );
}
const gameTakesPassword = (password: string): boolean =>
  password !== "" &&
  password.length <= 30 &&
  password.split("").every((char) => char >= " " && char <= "~");

const strings = fc.oneof(
  fc.string({ maxLength: 34 }),
  fc.string({ unit: "binary", maxLength: 34 }),
  fc.string({ unit: fc.constantFrom(...'aZ9.-_ <>:"/\\|?*~'.split("")), maxLength: 34 }),
);
const takes = (schema: ReturnType<typeof accountNameField>, given: string) =>
  schema.required().validate(given, { convert: false }).error === undefined;

describe("the rules for game accounts", () => {
  it("accept exactly the names that the game accepts", () => {
    fc.assert(
      fc.property(strings, (name) => {
        expect(takes(accountNameField(), name)).toBe(gameTakesName(name));
      }),
      { numRuns: 2_000 },
    );
  });

  it("accept exactly the passwords that the game accepts", () => {
    fc.assert(
      fc.property(strings, (given) => {
        expect(takes(accountPasswordField(), given)).toBe(gameTakesPassword(given));
      }),
      { numRuns: 2_000 },
    );
  });

  it("contain no password in their messages", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 6, maxLength: 40 }), (given) => {
        const { error } = accountPasswordField().validate(given, { convert: false });
        expect(error?.message ?? "").not.toContain(given);
      }),
    );
  });
});
