import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import Joi from "joi";

import { parseSerial, serial } from "../../shared/shard/serial.ts";

describe("parseSerial", () => {
  it.each([
    ["0x40001A2B", "0x40001A2B"],
    ["0x40001a2b", "0x40001A2B"],
    ["0X1f", "0x0000001F"],
    ["0x1", "0x00000001"],
    ["0x00000001", "0x00000001"],
    ["0x7FFFFFFF", "0x7FFFFFFF"],
  ])("writes %s as %s", (given, written) => {
    expect(parseSerial(given)).toBe(written);
  });

  it.each([
    ["zero", "0x0"],
    ["zero in eight digits", "0x00000000"],
    ["what lies above the highest", "0x80000000"],
    ["the game's none", "0xFFFFFFFF"],
    ["nine digits", "0x040001A2B"],
    ["no digits", "0x"],
    ["no prefix", "40001A2B"],
    ["decimal", "1073748523"],
    ["other letters", "0x4000G"],
    ["space around it", " 0x1"],
    ["a line behind it", "0x1\n"],
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

  it("takes any text without throwing", () => {
    fc.assert(
      fc.property(fc.string(), (given) => {
        expect(parseSerial(given) ?? "0x00000001").toMatch(/^0x[0-9A-F]{8}$/);
      }),
    );
  });
});

describe("serial", () => {
  const schema = Joi.object<{ serial: string }, true>({ serial: serial().required() });

  it("gives the one spelling", () => {
    expect(schema.validate({ serial: "0xa001" })).toEqual({ value: { serial: "0x0000A001" } });
  });

  it.each(["0x0", "0xFFFFFFFF", "maple"])("refuses %s and says what is due", (given) => {
    expect(schema.validate({ serial: given }).error?.message).toBe(
      '"serial" must be a serial such as 0x40001A2B',
    );
  });

  it.each([40_961, null, true, ["0x1"], {}])("refuses what is no text: %j", (given) => {
    expect(schema.validate({ serial: given }).error?.message).toBe('"serial" must be a string');
  });

  it("is described as text", () => {
    expect(schema["~standard"].jsonSchema.input({ target: "draft-2020-12" })["properties"]).toEqual(
      { serial: { type: "string", minLength: 1 } },
    );
  });
});
