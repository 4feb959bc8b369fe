import { foldInPlace } from "../text/fold-in-place.ts";
import { isUnspaced } from "../text/fold.ts";

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
export function findWord(text: string, words: readonly string[]): number {
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
