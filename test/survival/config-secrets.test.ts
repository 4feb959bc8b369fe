import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { maskSecrets, listSecretTexts } from "../../shared/survival/config/config-secrets.ts";
import { restoreSecrets } from "../../shared/survival/config/restore-secrets.ts";

const plain = `// settings
{
  "Title": "x", /* Api Key: "y" */
  "API Key": "k\\u00e9y-1234",
  "Webhook": "https://discord.example/api/1",
  "Discord webhooks": ["first hook", "second hook"],
  "Connection string": "Server=1", "ConnectionString": "Server=2",
  "DB": { "Password": "p@ss", "pass": "word", "Passage": "open", "Port": 3306 },
  "Token": 12345, "Secret": "", "Tokens": { "bot": ["t-1", { "x": 7, "on": true }], "no": null },
  "Steam API key (get one here https://steamcommunity.com/dev/apikey)": "abc",
  "a/b~c": { "token": "t~1", },
  "Map": "https://maps.example/?key=abc", "Repeats": "is k\\u00e9y-1234.",
  "Keyboard": "qwerty", "x": NaN, // the last
}`;

const shown = `// settings
{
  "Title": "x", /* ********#1 */
  "API Key": "********",
  "Webhook": "********",
  "Discord webhooks": ["********", "********"],
  "Connection string": "********", "ConnectionString": "********",
  "DB": { "Password": "********", "pass": "********", "Passage": "open", "Port": 3306 },
  "Token": "********", "Secret": "", "Tokens": { "bot": ["********", { "x": "********", "on": true }], "no": null },
  "Steam API key (get one here https://steamcommunity.com/dev/apikey)": "********",
  "a/b~c": { "token": "********", },
  "Map": "********", "Repeats": "********",
  "Keyboard": "qwerty", "x": NaN, // the last
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
  "/Token",
  "/Tokens/bot/0",
  "/Tokens/bot/1/x",
  "/Steam API key (get one here https:~1~1steamcommunity.com~1dev~1apikey)",
  "/a~1b~0c/token",
  "/Map",
  "/Repeats",
];

const maskedOf = (text: string) => {
  const masked = maskSecrets(text);
  if (!("text" in masked)) throw new Error(JSON.stringify(masked));
  return masked;
};

const hook = "https://discord.com/api/webhooks/1/aB3dE6gH9jK2mN5pQ8";

describe("the secrets of a configuration", () => {
  it("are masked if their key or form reveals them, and every other byte is unchanged", () => {
    expect(maskedOf(plain)).toEqual({ text: shown, secretsMasked: pointers });
  });

  it("are masked in keys and comments, with a number in each mask", () => {
    const text = `{ "Channels": { "${hook}": ["kills"], "b": 1 }, // was ${hook}
      // "Keys": [
      //   "old"
      // ]
      "Cooldown": 3, // seconds
      "Port": 1, "Key": "k", /* never share */ "On": 1 }`;
    const expected = `{ "Channels": { "********#1": ["********"], "b": 1 }, // ********#2
      // ********#3
      // ********#4
      // ********#5
      "Cooldown": 3, // seconds
      "Port": 1, "Key": "********", /* ********#6 */ "On": 1 }`;
    const masked = maskedOf(text);
    expect(masked).toEqual({
      text: expected,
      secretsMasked: ["/Channels/********#1", "/Channels/********#1/0", "/Key"],
    });
    expect(restoreSecrets(masked.text, text)).toEqual({ text, unresolved: [] });
  });

  it("are masked in keys below a secret name if those keys look like secret codes", () => {
    const masked = maskedOf('{"Tokens":{"a1b2c3d4e5":true,"enabled":true}}');
    expect(masked.text).toBe('{"Tokens":{"********#1":true,"enabled":true}}');
  });

  it("are restored byte for byte if their masks are sent back", () => {
    expect(restoreSecrets(shown, plain)).toEqual({ text: plain, unresolved: [] });
  });

  it("are replaced by a value that is sent in place of a mask", () => {
    const sent = shown.replace('"Webhook": "********"', '"Webhook": "new"');
    const expected = plain.replace("https://discord.example/api/1", "new");
    expect(restoreSecrets(sent, plain)).toEqual({ text: expected, unresolved: [] });
  });

  it.each([
    ['{"Other token":"********"}', ["/Other token"]],
    ['{"Title":"********"}', ["/Title"]],
    ['{"Discord webhooks":["********"]}', ["/Discord webhooks/0"]],
    ['{"Discord webhooks":["new","********","********"]}', ["/Discord webhooks/2"]],
    ['{"Secret":"********"}', ["/Secret"]],
    ['{"__proto__":"********","constructor":"********"}', ["/__proto__", "/constructor"]],
    ['{"API Key":["********"]}', ["/API Key/0"]],
    ['{"********#1":1}', ["/********#1"]],
    ["{} // ********#1", ["// ********#1"]],
    ["{} /* ********#2 */", ["/* ********#2 */"]],
  ])("are not restored for an unknown mask in %s", (sent, unresolved) => {
    expect(restoreSecrets(sent, plain)).toMatchObject({ unresolved });
  });

  it("are not restored if their mask was moved from a comment to a place where they would be shown", () => {
    const text = '{ "Key": "k", /* old one */ "Port": 1 }';
    const masked = maskedOf(text).text;
    const moved = '{ "Port": 1 /* ********#1 */ }';
    expect(masked).toBe('{ "Key": "********", /* ********#1 */ "Port": 1 }');
    expect(restoreSecrets(moved, text)).toEqual({ exposed: ["/* ********#1 */"] });
  });

  it("are not restored in a visible place if the client replaced them in their secret place", () => {
    const sent = '{"API Key":"new","Repeats":"********"}';
    expect(restoreSecrets(sent, plain)).toEqual({ exposed: ["/Repeats"] });
  });

  it("do not replace a mask that the original text contained literally", () => {
    const original = '{"Title":"********"}';
    expect(restoreSecrets('{ "Title":"********"}', original)).toEqual({
      text: '{ "Title":"********"}',
      unresolved: [],
    });
  });

  it("are neither masked nor restored if a key occurs twice, because they would be ambiguous", () => {
    const original = '{\n "key":"one","key":["two"]}';
    expect(maskSecrets(original)).toEqual({ doubled: { line: 2, column: 14 } });
    expect(listSecretTexts(original)).toEqual(["one", "two"]);
    expect(restoreSecrets('{"key":["********"]}', original)).toMatchObject({
      unresolved: ["/key/0"],
    });
    const sent = '{"a":{"API Key":"********","API\\u0020Key":["********"]}}';
    expect(restoreSecrets(sent, plain)).toEqual({ doubled: "/a/API Key" });
    const keyed = `{"${hook}":1}`;
    expect(restoreSecrets(`{"********#1":1,"${hook}":2}`, keyed)).toEqual({
      doubled: `/${hook.replaceAll("/", "~1")}`,
    });
  });

  it("are not shown in the answer if two masks stand for one key", () => {
    const original = `{"A":{"${hook}":1},"B":{"${hook}":2}}`;
    const sent = '{"A":{"********#1":1,"********#2":2},"B":{}}';
    expect(restoreSecrets(sent, original)).toEqual({ doubled: "/A/********#2" });
  });

  it.each([
    ['[{"name":"Api token","value":"k-1"}]', ["/0/value"]],
    ['[{"Value":{"a":["k-1",true]},"Name":"Api token"}]', ["/0/Value/a/0"]],
    ['[{"Key":"password","Value":"k-1"}]', ["/0/Key", "/0/Value"]],
    ['{"Pairs":[["token","k-1"],["color","red"]]}', ["/Pairs/0/1"]],
    ['{"Args":["-token","k-1","+rcon.password","k-2","-port","1"]}', ["/Args/1", "/Args/3"]],
    [JSON.stringify({ Doc: '{"name":"token","value":"k-1"}' }), ["/Doc"]],
    [JSON.stringify({ Doc: JSON.stringify({ Doc: '[{"password":"k-1"}]' }) }), ["/Doc"]],
    ['{"Headers":["X-Api-Key: k-123"]}', ["/Headers/0"]],
  ])("are found by the name or argument next to them: %s", (original, masked) => {
    const { text, secretsMasked } = maskedOf(original);
    expect([secretsMasked, /k-\d/.exec(text)]).toEqual([masked, null]);
    expect(restoreSecrets(text, original)).toEqual({ text: original, unresolved: [] });
  });

  it("are not restored next to a different name, where they would be shown", () => {
    const original = '[{"name":"Api token","value":"k-1"}]';
    const sent = '[{"name":"Color","value":"********"}]';
    expect(restoreSecrets(sent, original)).toEqual({ exposed: ["/0/value"] });
  });

  it.each(['[{"name":"Door","value":"k-1"}]', '{"Items":["door.key","k-1"]}', '["-port","k-1"]'])(
    "are not found without the name of a secret next to them: %s",
    (text) => {
      expect(maskSecrets(text)).toEqual({ text, secretsMasked: [] });
    },
  );

  it("are neither masked nor restored in a text that is not JSON", () => {
    const fault = { line: 1, column: 16, message: "close brace expected" };
    expect(maskSecrets('{"key":"secret"')).toEqual({ fault });
    expect(restoreSecrets('{"key":"secret"', plain)).toEqual({ fault });
    expect(listSecretTexts('{"key":"secret"')).toEqual([]);
    expect(restoreSecrets('{"key":"********"}', "{")).toMatchObject({ unresolved: ["/key"] });
  });

  it("are neither masked nor restored if a long key makes their list too large", () => {
    const large = `{"${"k".repeat(500_000)}":{"webhooks":[${'"h",'.repeat(100_000)}]}}`;
    const fault = { line: 1, column: 1, message: "holds too many secrets" };
    expect(maskSecrets(large)).toEqual({ fault });
    expect(restoreSecrets(large.replaceAll('"h"', '"********"'), large)).toEqual({ fault });
  });

  it("are masked and restored in a configuration of the largest size", () => {
    const large = `{"webhooks":[${'"hook",'.repeat(140_000)}]}`;
    const masked = maskedOf(large);
    expect(masked.secretsMasked).toHaveLength(140_000);
    expect(restoreSecrets(masked.text, large)).toEqual({ text: large, unresolved: [] });
  });
});

/** A JSON document as its author wrote it. Keys may occur twice, and comments may be anywhere. */
type Written =
  | { readonly leaf: string }
  | { readonly list: readonly Written[] }
  | { readonly entries: readonly (readonly [string, Written])[]; readonly comment: string };

const canary = fc.integer({ min: 100_000, max: 999_999 });
const secretKeys = ["Api Key (see x)", "botTokens", "WEBHOOK url", "db_pass", "clientSecret"];
const plainKeys = ["x", "", "0", "a/b", "__proto__", "Cooldown", "Keyboard"];

/**
 * Generators of secret values. `underKey` gives values that are secret only below a secret key, and
 * `byForm` values that are secret by their form.
 */
const underKey = fc.oneof(
  canary.map((number) => JSON.stringify(`canary-${number}`)),
  canary.map((number) => String(number * 1_000_000)),
);
const byForm = canary.map((number) =>
  JSON.stringify(`https://discord.com/api/webhooks/${number}/canary-${number}`),
);
const harmless = fc.constantFrom("true", "null", "1", '"on"', '""', "0.5");

const { written } = fc.letrec<{ written: Written; secret: Written }>((tie) => ({
  secret: fc.oneof(
    { depthSize: "small" },
    underKey.map((leaf) => ({ leaf })),
    fc.array(tie("secret"), { maxLength: 3 }).map((list) => ({ list })),
    fc
      .array(fc.tuple(fc.constantFrom(...plainKeys), tie("secret")), { maxLength: 3 })
      .map((entries) => ({ entries, comment: "" })),
  ),
  written: fc.oneof(
    { depthSize: "small" },
    fc.oneof(harmless, byForm).map((leaf) => ({ leaf })),
    fc.array(tie("written"), { maxLength: 3 }).map((list) => ({ list })),
    fc
      .tuple(
        fc.array(
          fc.oneof(
            fc.tuple(fc.constantFrom(...plainKeys), tie("written")),
            fc.tuple(fc.constantFrom(...secretKeys), tie("secret")),
            fc.tuple(
              byForm.map((text) => JSON.parse(text) as string),
              tie("written"),
            ),
          ),
          { maxLength: 4 },
        ),
        fc.constantFrom("", "/* plain */", "// plain\n", "/* token canary-1234567 */"),
      )
      .map(([entries, comment]) => ({ entries, comment })),
  ),
}));

function textOf(one: Written): string {
  if ("leaf" in one) return one.leaf;
  if ("list" in one) return `[${one.list.map(textOf).join(", ")}]`;
  const entries = one.entries.map(([key, value]) => `${JSON.stringify(key)}: ${textOf(value)}`);
  return `{${one.comment}${entries.join(`, ${one.comment}`)}}`;
}

/**
 * Returns the secrets in a text: canaries and large numbers. No other part of the text has as many
 * digits.
 */
const secretsIn = (text: string): string[] => text.match(/canary-\d{6,}|\d{9,}/g) ?? [];

/**
 * A random edit of a document that a user was shown. Parts of it are removed, doubled, renamed or
 * moved.
 */
type Edit = (one: Written, draw: (most: number) => number) => Written;

const renamed: Edit = (one, draw) => {
  if (!("entries" in one)) return one;
  const names = [...plainKeys, ...secretKeys];
  const at = draw(one.entries.length);
  const name = names[draw(names.length)] ?? "x";
  const entries = one.entries.map(
    ([key, value], here) => [here === at ? name : key, value] as const,
  );
  return { ...one, entries };
};
const moved: Edit = (one, draw) => {
  const swap = <T>(items: readonly T[]): T[] => {
    const [from, to] = [draw(items.length), draw(items.length)];
    const rest = items.filter((_item, at) => at !== from);
    return [...rest.slice(0, to), ...items.slice(from, from + 1), ...rest.slice(to)];
  };
  if ("list" in one) return { list: swap(one.list) };
  return "entries" in one ? { ...one, entries: swap(one.entries) } : one;
};
const doubled: Edit = (one, draw) => {
  if ("list" in one) {
    return { list: [...one.list, ...one.list.slice(draw(one.list.length)).slice(0, 1)] };
  }
  if (!("entries" in one)) return { list: [one, one] };
  return {
    ...one,
    entries: [...one.entries, ...one.entries.slice(draw(one.entries.length)).slice(0, 1)],
  };
};
const removed: Edit = (one, draw) => {
  const without = <T>(items: readonly T[]): T[] => {
    const at = draw(items.length);
    return items.filter((_item, here) => here !== at);
  };
  if ("list" in one) return { list: without(one.list) };
  return "entries" in one ? { ...one, entries: without(one.entries) } : one;
};
const hoisted: Edit = (one, draw) => {
  if (!("entries" in one)) return one;
  const found = one.entries[draw(one.entries.length)]?.[1];
  return found && "entries" in found
    ? { ...one, entries: [...one.entries, ...found.entries] }
    : one;
};
const swappedValues: Edit = (one, draw) => {
  if (!("entries" in one) || one.entries.length < 2) return one;
  const by = 1 + draw(one.entries.length - 1);
  const values = one.entries.map(([, value]) => value);
  const entries = one.entries.map(
    ([key, value], at) => [key, values[(at + by) % values.length] ?? value] as const,
  );
  return { ...one, entries };
};
const edits = [renamed, moved, doubled, removed, hoisted, swappedValues];

/**
 * Parses a document that a user was shown, so that it can be edited. A comment belongs to the
 * object at whose beginning it stands.
 */
function readShown(text: string): Written {
  const comment = /^\{(\/\*.*?\*\/|\/\/[^\n]*\n)/.exec(text)?.[1] ?? "";
  const bare = text.replaceAll(/\/\*.*?\*\/|\/\/ [^\n]*\n/g, "");
  const value = JSON.parse(bare, (_key, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item) ? Object.entries(item) : item,
  ) as unknown;
  return { ...writtenFrom(value), ...(comment && { comment }) };
}

/**
 * Converts a parsed value. Objects are lists of pairs here, because `readShown` has replaced each
 * object by its entries.
 */
function writtenFrom(value: unknown): Written {
  if (!Array.isArray(value)) return { leaf: JSON.stringify(value) };
  const isObject =
    value.length > 0 &&
    value.every((item) => Array.isArray(item) && item.length === 2 && typeof item[0] === "string");
  if (!isObject) return { list: value.map(writtenFrom) };
  const entries = (value as [string, unknown][]).map(
    ([key, inner]) => [key, writtenFrom(inner)] as const,
  );
  return { entries, comment: "" };
}

const editsDrawn = fc.array(
  fc.tuple(fc.constantFrom(...edits), fc.array(fc.nat(50), { minLength: 6, maxLength: 6 })),
  { minLength: 1, maxLength: 4 },
);

/** Returns the document with an edit at a random place. */
function edited(one: Written, edit: Edit, draws: readonly number[]): Written {
  const left = [...draws];
  const draw = (most: number): number => (most > 0 ? (left.shift() ?? 0) % most : 0);
  const within = (inner: Written): Written => {
    if (draw(3) === 0) return edit(inner, draw);
    if ("list" in inner && inner.list.length > 0) {
      const at = draw(inner.list.length);
      return { list: inner.list.map((item, here) => (here === at ? within(item) : item)) };
    }
    if ("entries" in inner && inner.entries.length > 0) {
      const at = draw(inner.entries.length);
      const entries = inner.entries.map(
        ([key, value], here) => [key, here === at ? within(value) : value] as const,
      );
      return { ...inner, entries };
    }
    return edit(inner, draw);
  };
  return within(one);
}

describe("any configuration", () => {
  it("is shown without its secrets and is restored byte for byte", () => {
    fc.assert(
      fc.property(written, (document) => {
        const text = textOf(document);
        const masked = maskSecrets(text);
        fc.pre("text" in masked);
        if (!("text" in masked)) return;
        expect(secretsIn(masked.text + masked.secretsMasked.join())).toEqual([]);
        expect(restoreSecrets(masked.text, text)).toEqual({ text, unresolved: [] });
      }),
      { numRuns: 500 },
    );
  });

  it("shows no secret after any edit of its masked text", () => {
    let kept = 0;
    fc.assert(
      fc.property(written, editsDrawn, (document, changes) => {
        const original = textOf(document);
        const masked = maskSecrets(original);
        fc.pre("text" in masked);
        const start = readShown("text" in masked ? masked.text : "");
        const sent = textOf(
          changes.reduce((one, [edit, draws]) => edited(one, edit, draws), start),
        );
        const restored = restoreSecrets(sent, original);
        if (!("text" in restored) || restored.unresolved.length > 0) return;
        kept += 1;
        const next = maskSecrets(restored.text);
        expect(next).toHaveProperty("text");
        expect(secretsIn(JSON.stringify(next))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
    expect(kept).toBeGreaterThan(200);
  });
});
