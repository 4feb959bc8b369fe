import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { jsonFault } from "../../shared/survival/config/config-json.ts";
import {
  coverSecrets,
  maskSecrets,
  restoreSecrets,
  secretMask,
  secretsOf,
} from "../../shared/survival/config/config-secrets.ts";
import {
  configHash,
  isTooLarge,
  largestConfig,
  pluginNamePattern,
} from "../../shared/survival/config/plugin-file.ts";

describe("a plugin's file", () => {
  it.each(["Kits", "Zone_Manager2", "a".repeat(64)])("may be called %s", (name) => {
    expect(pluginNamePattern.test(name)).toBe(true);
  });

  it.each(["", "a".repeat(65), "../oxide", "Kits.json", "a/b", "a\\b", "Kits\n", "Kíts", "a b"])(
    "may not be called %j",
    (name) => {
      expect(pluginNamePattern.test(name)).toBe(false);
    },
  );

  it("has at most 1 MiB in UTF-8", () => {
    expect(isTooLarge("a".repeat(largestConfig))).toBe(false);
    expect(isTooLarge("a".repeat(largestConfig + 1))).toBe(true);
    expect(isTooLarge("é".repeat(largestConfig / 2))).toBe(false);
    expect(isTooLarge("é".repeat(largestConfig / 2 + 1))).toBe(true);
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
  ])("may be, case %#", (text) => {
    expect(jsonFault(text)).toBeUndefined();
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
    ['{"a":"\uD800"}', 1, 7, "holds half a character"],
    [`\n${"[".repeat(65)}`, 2, 65, "nests too deep"],
  ])("is refused where it is no JSON, case %#", (text, line, column, message) => {
    expect(jsonFault(text)).toEqual({ line, column, message });
  });

  it("may be any JSON, with or without what is taken beyond it", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6, stringUnit: "grapheme" }), (text) => {
        expect(jsonFault(text)).toBeUndefined();
        expect(jsonFault(`/**/${text}//`)).toBeUndefined();
        expect(jsonFault(`[NaN,${text},-Infinity,]`)).toBeUndefined();
      }),
    );
  });

  it("is refused where the plain parser refuses it, but for what is taken beyond JSON", () => {
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
        expect(jsonFault(text) === undefined).toBe(isJson);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(["[", "{", '{"a":', "[1,", '"', "-", "NaN ", "/", "/*", "\\", "\uD800", "\0", "]"])(
    "is soon refused where it is %j a million times",
    (unit) => {
      expect(jsonFault(unit.repeat(1_000_000 / unit.length))).toBeDefined();
    },
  );
});

const plain = `// settings
{
  "Title": "x", /* Api Key: "y" */
  "API Key": "k\\u00e9y-1",
  "Webhook": "https://discord.example/api/1",
  "Discord webhooks": ["first hook", "second hook"],
  "Connection string": "Server=1", "ConnectionString": "Server=2",
  "DB": { "Password": "p@ss", "pass": "word", "Passage": "open", "Port": 3306 },
  "Token": 12345, "Secret": "", "Tokens": ["not one"],
  "a/b~c": { "token": "t~1", },
  "Keyboard": "qwerty", "x": NaN,
}`;

const pointers = [
  "/API Key",
  "/Webhook",
  "/Discord webhooks/0",
  "/Discord webhooks/1",
  "/Connection string",
  "/ConnectionString",
  "/DB/Password",
  "/DB/pass",
  "/a~1b~0c/token",
];

const maskedOf = (text: string) => {
  const masked = maskSecrets(text);
  if ("fault" in masked) throw new Error(masked.fault.message);
  return masked;
};

describe("the secrets of a configuration", () => {
  it("are masked where the key says so, with every other byte as it was", () => {
    const { text, secretsMasked } = maskedOf(plain);
    expect(secretsMasked).toEqual(pointers);
    let expected = plain;
    for (const secret of [
      '"k\\u00e9y-1"',
      '"https://discord.example/api/1"',
      '"first hook"',
      '"second hook"',
      '"Server=1"',
      '"Server=2"',
      '"p@ss"',
      '"word"',
      '"t~1"',
    ]) {
      expected = expected.replace(secret, '"********"');
    }
    expect(text).toBe(expected);
  });

  it("are restored where their masks are sent back, byte for byte", () => {
    expect(restoreSecrets(maskedOf(plain).text, plain)).toEqual({ text: plain, unresolved: [] });
  });

  it("are replaced by what is sent in their place", () => {
    const sent = maskedOf(plain).text.replace('"Webhook": "********"', '"Webhook": "new"');
    const expected = plain.replace("https://discord.example/api/1", "new");
    expect(restoreSecrets(sent, plain)).toEqual({ text: expected, unresolved: [] });
  });

  it.each([
    ['{"Other token":"********"}', ["/Other token"]],
    ['{"Title":"********"}', ["/Title"]],
    ['{"Discord webhooks":["********"]}', ["/Discord webhooks/0"]],
    ['{"Discord webhooks":["new","********","********"]}', ["/Discord webhooks/2"]],
    ['{"Token":"********"}', ["/Token"]],
    ['{"__proto__":"********","constructor":"********"}', ["/__proto__", "/constructor"]],
    ['{"API Key":"********","API Key":"********"}', ["/API Key"]],
  ])("are not known for a mask in %s", (sent, unresolved) => {
    expect(restoreSecrets(sent, plain)).toMatchObject({ unresolved });
  });

  it("leave a mask alone that was the text itself", () => {
    const original = '{"Title":"********"}';
    expect(restoreSecrets('{ "Title":"********"}', original)).toEqual({
      text: '{ "Title":"********"}',
      unresolved: [],
    });
  });

  it("are told apart where a key is written twice", () => {
    const original = '{"key":"one","key":"two"}';
    expect(restoreSecrets(maskedOf(original).text, original)).toEqual({
      text: original,
      unresolved: [],
    });
  });

  it("cannot be told in what is no JSON, which is refused", () => {
    const fault = { line: 1, column: 16, message: "close brace expected" };
    expect(maskSecrets('{"key":"secret"')).toEqual({ fault });
    expect(restoreSecrets('{"key":"secret"', plain)).toEqual({ fault });
    expect(secretsOf('{"key":"secret"')).toEqual([]);
    expect(restoreSecrets('{"key":"********"}', "{")).toMatchObject({ unresolved: ["/key"] });
  });

  it("never leave, and always come back, whatever else a configuration holds", () => {
    const key = fc.oneof(
      fc.constantFrom(
        "Api Key",
        "token",
        "WEBHOOK url",
        "Password",
        "__proto__",
        "x",
        "",
        "0",
        "a/b",
      ),
      fc.string({ maxLength: 3 }),
    );
    const secret = fc.integer({ min: 0, max: 99_999 }).map((number) => `canary-${number}`);
    const { tree } = fc.letrec<{ tree: unknown; leaf: unknown; object: object }>((tie) => ({
      leaf: fc.oneof(fc.boolean(), fc.integer(), fc.constant(null), fc.string({ maxLength: 3 })),
      object: fc
        .array(
          fc.oneof(
            fc.tuple(key, tie("tree")),
            fc.tuple(fc.constantFrom("Api Key", "token", "webhook of x"), secret),
          ),
          { maxLength: 4 },
        )
        .map((entries) => Object.fromEntries(entries)),
      tree: fc.oneof({ depthSize: "small" }, tie("leaf"), tie("object"), fc.array(tie("tree"))),
    }));
    fc.assert(
      fc.property(tree, fc.constantFrom(undefined, 1, "\t"), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const masked = maskedOf(text);
        expect(masked.text).not.toContain("canary");
        expect(secretsOf(masked.text).every((left) => left === secretMask)).toBe(true);
        expect(restoreSecrets(masked.text, text)).toEqual({ text, unresolved: [] });
      }),
    );
  });

  it("are covered in the lines of a log, the longest first", () => {
    const lines = ["key-12 and key-1 for abc", 'as "a\\"bcd" and a"bcd', "$& stays"];
    const covered = coverSecrets(lines, ["key-1", "key-12", "abc", 'a"bcd', ""]);
    expect(covered).toEqual([
      `${secretMask} and ${secretMask} for abc`,
      `as "${secretMask}" and ${secretMask}`,
      "$& stays",
    ]);
  });

  it("are not listed where a long key above them makes much of little", () => {
    const large = `{"${"k".repeat(500_000)}":{"webhooks":[${'"h",'.repeat(100_000)}]}}`;
    const fault = { line: 1, column: 1, message: "holds too many secrets" };
    expect(maskSecrets(large)).toEqual({ fault });
    expect(restoreSecrets(large.replaceAll('"h"', '"********"'), large)).toEqual({ fault });
  });

  it("are found in a configuration of the largest size", () => {
    const large = `{"webhooks":[${'"hook",'.repeat(140_000)}]}`;
    const masked = maskedOf(large);
    expect(masked.secretsMasked).toHaveLength(140_000);
    expect(restoreSecrets(masked.text, large)).toEqual({ text: large, unresolved: [] });
  });
});
