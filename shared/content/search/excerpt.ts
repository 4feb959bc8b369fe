import { cleanLine } from "../text/clean.ts";
import { findWord } from "./find-word.ts";

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
