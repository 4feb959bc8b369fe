import { fold } from "./fold.ts";

/** The folded form of each code unit, worked out when the first text has it; 0 is none yet. */
const foldedUnits = new Uint16Array(0x1_00_00);

/** Signs of two code units as they are folded: the ones met last, since there are a million. */
const foldedPairs = new Map<string, string>();
const mostPairs = 4096;

const plain = /^[\0-\u007F]*$/;
const paired = /[\uD800-\uDBFF][\uDC00-\uDFFF]/;

/**
 * A folded text, each sign of which stands where the original's does and is as long, so that a place
 * in one is a place in the other. A search folds the texts of all its hits before anybody else is
 * answered: signs are therefore looked up. At most some thousand are given at once.
 */
export function foldInPlace(text: string): string {
  if (plain.test(text)) return text.toLowerCase();
  const folded = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    folded[at] = foldedUnits[unit] || learnUnit(unit);
  }
  // Several times faster than to spread the units.
  const single = Reflect.apply(String.fromCharCode, null, folded);
  return paired.test(single) ? single.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, foldPair) : single;
}

function learnUnit(unit: number): number {
  const folded = foldSign(String.fromCharCode(unit)).charCodeAt(0);
  foldedUnits[unit] = folded;
  return folded;
}

function foldPair(pair: string): string {
  const known = foldedPairs.get(pair);
  if (known !== undefined) return known;
  if (foldedPairs.size >= mostPairs) foldedPairs.clear();
  const folded = foldSign(pair);
  foldedPairs.set(pair, folded);
  return folded;
}

/** Composed again, as the sign is: a syllable of Hangul stays one. */
const foldSign = (sign: string): string =>
  fold(sign).normalize("NFC").slice(0, sign.length).padEnd(sign.length);
