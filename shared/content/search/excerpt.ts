import { cleanLine } from "../text/clean.ts";
import { foldKeepingPositions, hasUnspacedScript } from "../text/fold.ts";

const longest = 200;
/** Characters shown before the hit. */
const before = 60;

/** A cut through a character leaves these at the ends: half a surrogate pair, or combining marks. */
const halves = /^(?:[\uDC00-\uDFFF]|\p{M}+)|[\uD800-\uDBFF]$/gu;

/** Returns an excerpt around the first hit of one of the words, or the beginning of the text without a hit. */
export function excerptAround(text: string, words: readonly string[]): string {
  const hit = findWord(text, words);
  const start = hit > before ? text.indexOf(" ", hit - before) + 1 : 0;
  // In a very long word no space precedes the hit, so the excerpt begins at a fixed distance before it.
  const from = start > hit || start === 0 ? Math.max(0, hit - before) : start;
  const cut = text.slice(from, from + longest - 2).replaceAll(halves, "");
  const piece = cleanLine(cut.toWellFormed());
  const head = from > 0 ? "…" : "";
  const tail = from + longest - 2 < text.length ? "…" : "";
  return head + piece + tail;
}

/** The number of code units that are folded at a time. Most hits are near the beginning of a text. */
const windowLength = 4096;
/** The next window starts this many code units earlier, to find a word that the window's end cuts. */
const overlap = 64;
/** A pattern also tests the character before the match, which can have two code units. */
const signBefore = 2;

/** Words contain only letters, digits and marks, so a pattern needs no escapes. */
function patternOf(word: string): string {
  const composed = word.normalize("NFC");
  return hasUnspacedScript(word) ? composed : `(?<![\\p{L}\\p{N}\\p{M}])${composed}`;
}

/** Finds the first word that begins with one of `words` (folded, at most 60 characters); 0 if there is none. */
function findWord(text: string, words: readonly string[]): number {
  const pattern = new RegExp(words.map(patternOf).join("|"), "gu");
  for (let start = 0; start < text.length; start += windowLength - overlap) {
    const end = start + windowLength;
    pattern.lastIndex = start === 0 ? 0 : signBefore;
    const hit = pattern.exec(foldKeepingPositions(text.slice(start, end)))?.index;
    const isWhole = end >= text.length || (hit ?? 0) < windowLength - overlap + signBefore;
    if (hit !== undefined && isWhole) return start + hit;
  }
  return 0;
}
