import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { extractExcerpt } from "../../shared/content/search/search.ts";
import { cleanLine } from "../../shared/content/text/clean.ts";
import { foldText, hasUnspacedScript, wordsOf } from "../../shared/content/text/fold.ts";
import { propertyRunsOf } from "../support/runner/lane.ts";

/**
 * The slow reference implementation of an excerpt, which folds the whole text character by
 * character.
 */
function plainExcerpt(text: string, words: readonly string[]): string {
  const hit = plainFindWord(plainFold(text), words);
  const start = hit > 60 ? text.indexOf(" ", hit - 60) + 1 : 0;
  const from = start > hit || start === 0 ? Math.max(0, hit - 60) : start;
  const cut = text.slice(from, from + 198).replace(/^(?:[\uDC00-\uDFFF]|\p{M}+)/u, "");
  const piece = cleanLine(cut.replace(/[\uD800-\uDBFF]$/, "").toWellFormed());
  return (from > 0 ? "…" : "") + piece + (from + 198 < text.length ? "…" : "");
}

const plainFindWord = (folded: string, words: readonly string[]): number => {
  const hits = words.map((word) => {
    const before = hasUnspacedScript(word) ? "" : "(?<![\\p{L}\\p{N}\\p{M}])";
    return folded.search(new RegExp(before + word.normalize("NFC"), "u"));
  });
  return Math.max(
    0,
    Math.min(...hits.map((hit) => (hit < 0 ? folded.length : hit))) % folded.length,
  );
};

const plainFold = (text: string): string =>
  text.toLowerCase().length === text.length
    ? text.toLowerCase().replaceAll(/[^\0-\u007F]/gu, plainFoldSign)
    : text
        .replaceAll(/[^\0-\u007F]/gu, plainFoldSign)
        .replaceAll(/[A-Z]/g, (sign) => sign.toLowerCase());

const plainFoldSign = (sign: string): string =>
  foldText(sign).normalize("NFC").slice(0, sign.length).padEnd(sign.length);

/**
 * Characters for each way in which folding changes a character. Some have two code units, of which one also
 * occurs alone.
 */
const sign = fc.oneof(
  fc.constantFrom("a", "B", " ", ".", "\0", "é", "É", "e\u0301", "ß", "İ", "ı", "Σ", "ς", "σ"),
  fc.constantFrom(
    "Ж",
    "ё",
    "北",
    "が",
    "한",
    "ก",
    "ำ",
    "ร์",
    "ﬁ",
    "㎒",
    "\uFA6C",
    "𝔘",
    "𐐀",
    "🎉",
    "\uD800",
    "\uDC00",
  ),
  fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
);
const piece = (maxLength: number) =>
  fc.array(sign, { minLength: 1, maxLength }).map((signs) => signs.join(""));
const words = fc
  .array(piece(70), { minLength: 1, maxLength: 3 })
  .map((pieces) => pieces.flatMap(wordsOf))
  .filter((found) => found.length > 0);
/** Texts long enough that a searched word may lie across either end of the excerpt. */
const text = fc
  .tuple(fc.constantFrom("x ", "Жо ", "🎉", "xyz", "ё"), fc.nat(9_000), piece(80), piece(80))
  .map(([filler, at, near, far]) => filler.repeat(at) + near + filler.repeat(40) + far);

describe("extractExcerpt()", () => {
  it("returns the text around the first hit, as a slow reference implementation does", () => {
    const given = fc.oneof(
      fc.tuple(piece(300), words),
      fc.tuple(text, words),
      text.map((each) => [each, wordsOf(each.slice(-100)).slice(-3)] as const),
    );
    fc.assert(
      fc.property(given, ([each, wanted]) => {
        fc.pre(wanted.length > 0);
        expect(extractExcerpt(each, wanted)).toBe(plainExcerpt(each, wanted));
      }),
      { numRuns: propertyRunsOf(600) },
    );
  });

  it("never splits a surrogate pair at either end", () => {
    const castles = "\u{1F3F0}".repeat(200);
    for (const hit of ["ww", "-ww", "ww-", "-ww-"]) {
      const shown = extractExcerpt(`${castles}${hit}${castles}`, ["ww"]);
      expect(shown).toMatch(/^…\u{1F3F0}+-?ww-?\u{1F3F0}+…$/u);
      expect(shown.length).toBeLessThanOrEqual(200);
    }
  });

  it.each([4030, 4032, 4034, 4094, 4096, 8064, 8066])(
    "finds a word that begins at offset %i, but no word in the middle of a longer word",
    (at) => {
      for (const before of [" ", "y", "𝔘", "🎉"]) {
        const each = `${"-".repeat(at - before.length)}${before}${"w".repeat(60)} ${"-".repeat(300)}`;
        for (const wanted of [["w".repeat(60)], ["w", "y"]]) {
          expect(extractExcerpt(each, wanted)).toBe(plainExcerpt(each, wanted));
        }
      }
    },
  );
});
