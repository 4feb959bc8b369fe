import * as fc from "fast-check";
import type Joi from "joi";
import { describe, expect, it } from "vitest";

import { checkPayloadAgainstSchema } from "../../shared/platform/bridge/check-payload.ts";
import { countsByName, objectSchema } from "../../shared/platform/bridge/payload-fields.ts";
import { isPlainText, toPlainLog, toPlainText } from "../../shared/platform/texts/plain-text.ts";
import { kinds } from "../../shared/shard/kinds/kinds.ts";
import { survivalFrameKinds } from "../../shared/survival/kinds/kinds.ts";
import { samplesOf } from "../support/shard/payload-samples.ts";

/**
 * Fields that the reader leaves unchanged: their handler first masks secrets and then cleans them.
 */
const unread = new Set(["config.outcome message", "config.outcome logTail 0"]);

type Path = readonly string[];

const textsIn = (value: unknown, path: Path = []): { path: Path; text: string }[] => {
  if (typeof value === "string") return [{ path, text: value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...path, key]));
};

function withText(value: unknown, [step, ...rest]: Path, text: string): unknown {
  if (step === undefined) return text;
  const replaced = Object.entries(value as object).map(([key, inner]) => [
    key,
    key === step ? withText(inner, rest, text) : inner,
  ]);
  return Array.isArray(value) ? replaced.map(([, inner]) => inner) : Object.fromEntries(replaced);
}

const isPlain = (text: string): boolean =>
  toPlainText(text, 20_000) === text ||
  toPlainLog(text, 20_000) === text ||
  isPlainText(text) ||
  text.split("\t").every((part) => toPlainText(part, 20_000) === part);

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom("<b>", "</b>", "<size=9>", "<color=red>", "[#f00]", "[+9]", "[/#]", "<", ">"),
      fc.constantFrom("\u202E", "\u2066", "\u200B", "\0", "\n", "\r", "\u0301\u0301\u0301", "["),
      fc.string({ unit: "binary", maxLength: 2 }),
      fc.constantFrom("a", "Z", " ", "\u0633", "\u200C", "\u{1F468}\u200D\u{1F4BB}"),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(""));

/** Regression cases. In former versions these texts kept markup, or a second cleaning changed them again. */
const known: readonly (readonly [string])[] = [
  ["<size=60>"],
  ["\u202Ex"],
  ["[+9]x"],
  ["<b"],
  ["a\u0000b"],
  ["a\u202E\u0301\u0301\u0301>a"],
  [`${"<b".repeat(20)}${">".repeat(20)}`],
];

const all: readonly (readonly [string, Joi.ObjectSchema])[] = [
  ...Object.entries(survivalFrameKinds),
  ...Object.entries(kinds),
].map(([kind, { payload }]) => [kind, payload as Joi.ObjectSchema]);

describe("an event payload that ingest has checked", () => {
  it.each(all)("contains only plain texts, whatever text the game sends: %s", (kind, schema) => {
    const samples = samplesOf(schema.describe());
    for (const sample of samples) {
      const checked = checkPayloadAgainstSchema(schema, sample);
      expect("payload" in checked && textsIn(checked.payload)).toEqual(textsIn(sample));
    }
    const places = samples.flatMap((sample) =>
      textsIn(sample)
        .filter(({ path }) => !unread.has(`${kind} ${path.join(" ")}`))
        .map(({ path }) => ({ sample, path })),
    );
    if (places.length === 0) return;
    fc.assert(
      fc.property(hostile, (text) => {
        for (const { sample, path } of places) {
          const checked = checkPayloadAgainstSchema(schema, withText(sample, path, text));
          const left = "payload" in checked ? textsIn(checked.payload) : [];
          expect(left.filter((one) => !isPlain(one.text))).toEqual([]);
        }
      }),
      { numRuns: 40, examples: [...known] },
    );
  });

  it("passes the checks again, for a generated payload of every kind", () => {
    const shapeless = all.filter(([, schema]) =>
      samplesOf(schema.describe()).some(
        (sample) => "reason" in checkPayloadAgainstSchema(schema, sample),
      ),
    );
    expect(shapeless.map(([kind]) => kind)).toEqual([]);
  });
});

describe("a field with counts by name", () => {
  it("has plain names, and keeps the last of two counts whose names become equal", () => {
    const given = { "<b>Felucca": 1, Felucca: 2, Trammel: 3 };
    expect(
      checkPayloadAgainstSchema(objectSchema({ byMap: countsByName() }), { byMap: given }),
    ).toEqual({
      payload: { byMap: { Felucca: 2, Trammel: 3 } },
    });
  });
});

describe("toPlainText", () => {
  it.each([
    ["a Persian word with a joiner", "\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645"],
    ["a Sinhala word with a joiner", "\u0DC1\u0DCA\u200D\u0DBB\u0DD3"],
    ["a family emoji", "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}"],
    [
      "a flag emoji of tag characters",
      "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
    ],
    ["a heart emoji", "\u2764\uFE0F"],
    ["pointed Hebrew", "\u05D1\u05B0\u05BC\u05E8\u05B5\u05D0\u05E9\u05B4\u05C1\u0596\u05D9\u05EA"],
    ["stacked Tibetan", "\u0F56\u0F66\u0F92\u0FB2\u0F74\u0F56\u0F66"],
    ["Vietnamese", "Vi\u1EC7t"],
    ["stacked Burmese", "\u101C\u103B\u103E\u102D\u102F\u1037\u101D\u103E\u1000\u103A"],
    ["a clan tag in brackets", "[TAG] Bob"],
    ["a heart of ASCII characters", "I <3 you"],
  ])("keeps %s", (_what, name) => {
    expect(toPlainText(name, 64)).toBe(name);
  });

  it.each([
    [
      "a pile of combining marks",
      "Z\u0301\u0302\u0303\u0304\u0305\u0306\u0307",
      "\u0179\u0302\u0303\u0304\u0305",
    ],
    ["joiners between letters that need none", "a\u200D\u200Cb", "ab"],
    ["the chat markup of mod loaders", "[#ff0000][+60]ADMIN[/+][/#] [b]x[/b]", "ADMIN x"],
    ["the beginning of a tag", "<size=60", "\u2039size=60"],
    ["an angle that a template might complete", "Bob<", "Bob\u2039"],
    ["a bracket that a template might complete", "Bob[", "Bob\u2045"],
    ["a tag of one letter that a template might complete", "Bob[b", "Bob\u2045b"],
    ["line ends", "a\r\nb\u2028c\td", "a b c d"],
  ])("cleans %s", (_what, name, plain) => {
    expect(toPlainText(name, 64)).toBe(plain);
  });

  it("forms no markup if two results are joined, and changes nothing if applied to its own result", () => {
    fc.assert(
      fc.property(hostile, hostile, (one, other) => {
        const [left, right] = [toPlainText(one, 64), toPlainText(other, 64)];
        expect(toPlainText(left, 64)).toBe(left);
        expect(`${left}${right}`).not.toMatch(/<[/a-z#][^<>]*>|\[(#\w*|\+\d*|\/[#+bi]|[bi])\]/i);
      }),
      { numRuns: 2_000 },
    );
  });

  it("cuts a text at the maximum number of code points, without a trailing joiner", () => {
    const coder = "\u{1F468}\u200D\u{1F4BB}";
    expect(toPlainText(coder.repeat(30), 5)).toBe(`${coder}\u{1F468}`);
  });
});

describe("toPlainLog", () => {
  it("keeps line breaks, tabs and type names, and removes markup and control characters", () => {
    const given = "\u202EList<string> <color=red>x</color>\r\n\tat Foo<T>()\u0007\n";
    expect(toPlainLog(given, 200)).toBe("List<string> x\n\tat Foo<T>()");
  });
});

describe("isPlainText for the name of an account", () => {
  it.each(["gm_aldor", "a b", "[i]"])("accepts the name %j", (name) =>
    expect(isPlainText(name)).toBe(true),
  );
  it.each(["<b>a", "a\u202E", "a\nb", "a\u200B"])("rejects the name %j", (name) =>
    expect(isPlainText(name)).toBe(false),
  );
});
