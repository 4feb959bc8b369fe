import { cleanLine } from "../text/clean.ts";
import { foldInPlace, isUnspaced } from "../text/fold.ts";

const longest = 200;
/** What is shown of the text before the hit. */
const before = 60;

/** What is left at either end of a sign that the cut went through: half of it, or its marks. */
const halves = /^(?:[\uDC00-\uDFFF]|\p{M}+)|[\uD800-\uDBFF]$/gu;

/** A piece of plain text around the first of the words, or its beginning where none is in it. */
export function excerptAround(text: string, words: readonly string[]): string {
  const hit = findWord(text, words);
  const start = hit > before ? text.indexOf(" ", hit - before) + 1 : 0;
  // A hit in the midst of a very long word has no space before it.
  const from = start > hit || start === 0 ? Math.max(0, hit - before) : start;
  const cut = text.slice(from, from + longest - 2).replaceAll(halves, "");
  const piece = cleanLine(cut.toWellFormed());
  const head = from > 0 ? "…" : "";
  const tail = from + longest - 2 < text.length ? "…" : "";
  return head + piece + tail;
}

/** So many signs are folded at once: most texts hold a hit near their beginning. */
const windowLength = 4096;
/** A word that the end of a window cuts, and the sign before it, begin the next one. */
const overlap = 64;
/** A hit needs the sign before it, which may be two code units. */
const signBefore = 2;

/** Words hold letters, digits and marks alone, so none of their signs has a meaning in a pattern. */
function patternOf(word: string): string {
  const composed = word.normalize("NFC");
  return isUnspaced(word) ? composed : `(?<![\\p{L}\\p{N}\\p{M}])${composed}`;
}

/**
 * Where in a text a word begins with one of those wanted; 0 where none does.
 * @param words folded ones, of 60 signs at most
 */
function findWord(text: string, words: readonly string[]): number {
  const pattern = new RegExp(words.map(patternOf).join("|"), "gu");
  for (let start = 0; start < text.length; start += windowLength - overlap) {
    const end = start + windowLength;
    pattern.lastIndex = start === 0 ? 0 : signBefore;
    const hit = pattern.exec(foldInPlace(text.slice(start, end)))?.index;
    const isWhole = end >= text.length || (hit ?? 0) < windowLength - overlap + signBefore;
    if (hit !== undefined && isWhole) return start + hit;
  }
  return 0;
}
