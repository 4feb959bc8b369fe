import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { findJsonFault } from "../../shared/survival/config/config-json.ts";
import {
  configHash,
  isConfigTooLarge,
  maxConfigBytes,
  pluginNamePattern,
} from "../../shared/survival/config/plugin-files.ts";

describe("a configuration file of a plugin", () => {
  it.each(["Kits", "Zone_Manager2", "a".repeat(64)])("may be named %s", (name) => {
    expect(pluginNamePattern.test(name)).toBe(true);
  });

  it.each(["", "a".repeat(65), "../oxide", "Kits.json", "a/b", "a\\b", "Kits\n", "Kíts", "a b"])(
    "may not be named %j",
    (name) => {
      expect(pluginNamePattern.test(name)).toBe(false);
    },
  );

  it("may have at most 1 MiB in UTF-8", () => {
    expect(isConfigTooLarge("a".repeat(maxConfigBytes))).toBe(false);
    expect(isConfigTooLarge("a".repeat(maxConfigBytes + 1))).toBe(true);
    expect(isConfigTooLarge("é".repeat(maxConfigBytes / 2))).toBe(false);
    expect(isConfigTooLarge("é".repeat(maxConfigBytes / 2 + 1))).toBe(true);
  });

  it("is hashed by its bytes", () => {
    const hash = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
    expect(configHash("hello")).toBe(hash);
    expect(configHash(Buffer.from("hello"))).toBe(hash);
    expect(configHash("{ }")).not.toBe(configHash("{}"));
  });
});

describe("a plugin's configuration", () => {
  it.each([
    "{}",
    '{"a":1,}',
    "[1,2,]",
    "// first\n{ /* second */ }\n// last",
    '{"a":NaN,"b":Infinity,"c":-Infinity,"d":[NaN,]}',
    '{"id":76561198012345679,"flags":18446744073709551615}',
    "\uFEFF{}",
    '{"a":"NaN }{ // no comment"}',
    '{"__proto__":{"constructor":1},"a":1,"a":2}',
    " \t\r\n{\r}\n",
    `${"[".repeat(64)}${"]".repeat(64)}`,
  ])("is accepted as JSON with the extensions of its parser, case %#", (text) => {
    expect(findJsonFault(text)).toBeUndefined();
  });

  it.each([
    ["", 1, 1, "value expected"],
    ["   ", 1, 4, "value expected"],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, "comma expected"],
    ['{\r\n  "a" 1\r\n}', 2, 7, "colon expected"],
    ['{"a":1', 1, 7, "close brace expected"],
    ['{"a":}', 1, 6, "value expected"],
    ['{"a":nan}', 1, 6, "invalid symbol"],
    ['{"a":-NaN}', 1, 6, "invalid symbol"],
    ['{"a":1NaN}', 1, 7, "invalid symbol"],
    ['{"a":NaN1}', 1, 6, "invalid symbol"],
    ['{"a":+Infinity}', 1, 6, "invalid symbol"],
    ["{a:1}", 1, 2, "invalid symbol"],
    ["{'a':1}", 1, 2, "invalid symbol"],
    ['{"a":1}{', 1, 8, "end of file expected"],
    ['{"a":"x\ny"}', 1, 6, "unexpected end of string"],
    ['{"a":"\\x"}', 1, 6, "invalid escape character"],
    ["[1,,2]", 1, 4, "value expected"],
    ["{,}", 1, 2, "value expected"],
    ["/* never closed", 1, 1, "unexpected end of comment"],
    ['{"a":"\uD800"}', 1, 7, "contains half of a Unicode character"],
    [`\n${"[".repeat(65)}`, 2, 65, "is nested too deep"],
  ])("is refused with the line and column of the error, case %#", (text, line, column, message) => {
    expect(findJsonFault(text)).toEqual({ line, column, message });
  });

  it("is accepted as any JSON, with comments, trailing commas and NaN", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6, stringUnit: "grapheme" }), (text) => {
        expect(findJsonFault(text)).toBeUndefined();
        expect(findJsonFault(`/**/${text}//`)).toBeUndefined();
        expect(findJsonFault(`[NaN,${text},-Infinity,]`)).toBeUndefined();
      }),
    );
  });

  it("is refused if and only if JSON.parse refuses it, apart from comments, trailing commas and NaN", () => {
    const signs = Array.from('{}[]:,"1-.eE+ \ntruefalsn\\u/*');
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...signs), maxLength: 12 }), (text) => {
        const hasMore = /\/\*|\/\/|,\s*[\]}]/.test(text);
        fc.pre(!hasMore);
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        expect(findJsonFault(text) === undefined).toBe(isJson);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(["[", "{", '{"a":', "[1,", '"', "-", "NaN ", "/", "/*", "\\", "\uD800", "\0", "]"])(
    "is refused quickly if it repeats %j a million times",
    (unit) => {
      expect(findJsonFault(unit.repeat(1_000_000 / unit.length))).toBeDefined();
    },
  );
});
