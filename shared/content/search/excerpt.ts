import { cleanLine } from "../text/clean.ts";
import { fold } from "../text/fold.ts";

const longest = 200;
/** What is shown of the text before the hit. */
const before = 60;

/** A piece of plain text around the first of the words, or its beginning where none is in it. */
export function excerptAround(text: string, words: readonly string[]): string {
  const hit = findWord(foldInPlace(text), words);
  const start = hit > before ? text.indexOf(" ", hit - before) + 1 : 0;
  // A hit in the midst of a very long word has no space before it.
  const from = start > hit || start === 0 ? Math.max(0, hit - before) : start;
  const piece = cleanLine(text.slice(from, from + longest - 2).toWellFormed());
  const head = from > 0 ? "…" : "";
  const tail = from + longest - 2 < text.length ? "…" : "";
  return head + piece + tail;
}

/** Where a word begins with one of those wanted. */
function findWord(folded: string, words: readonly string[]): number {
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})`, "u");
  return Math.max(0, folded.search(pattern));
}

/** The folded text, each character of which stands where the original's does. */
const foldInPlace = (text: string): string =>
  text.toLowerCase().length === text.length
    ? text.toLowerCase().replaceAll(/[^\0-\u007F]/gu, foldSign)
    : text
        .replaceAll(/[^\0-\u007F]/gu, foldSign)
        .replaceAll(/[A-Z]/g, (sign) => sign.toLowerCase());

/** As long as the sign itself, in which a place is counted. */
const foldSign = (sign: string): string => fold(sign).slice(0, sign.length).padEnd(sign.length);
