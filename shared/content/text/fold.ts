/** Letters that Unicode does not decompose, with those they are searched as. */
const alike: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ı: "i",
  ς: "σ",
};

/**
 * Accents and points that people leave out: of Latin, Greek, Cyrillic, Hebrew, Arabic and Syriac letters.
 * A mark of any other script makes another word, as a vowel of Thai or Hindi does, or the dots of Kana.
 */
const accents =
  /[[\p{M}&&[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]]--[\u3099\u309A]]/gv;

/** The vowel AM of Thai and Lao is two signs in the decomposed form, and one in dictionaries. */
const composeAm = (text: string): string =>
  text.replaceAll("\u0E4D\u0E32", "\u0E33").replaceAll("\u0ECD\u0EB2", "\u0EB3");

/** What texts are compared by, whatever their case and accents. The server's locale has no part. */
export const fold = (text: string): string =>
  composeAm(text.normalize("NFKD").replaceAll(accents, ""))
    .toLowerCase()
    .replaceAll(/[ßæœøđðþłıς]/g, (letter) => alike[letter] ?? letter);

/** Scripts that put no space between words, with a dictionary of their words. */
const inDictionary = "\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";

/** The same without one: each sign counts as a word, so that a part of a word is found too. */
const bySign = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}";

const dictionaryRuns = new RegExp(`[${inDictionary}]+`, "gu");
const signs = new RegExp(`[${bySign}]\\p{M}*`, "gu");
const beginsUnspaced = new RegExp(`^[${inDictionary}${bySign}]`, "u");

/** Whether a word may stand within a run of letters. */
export const isUnspaced = (word: string): boolean => beginsUnspaced.test(word);

/** The script chooses the dictionary, whatever the locale. */
const segmenter = new Intl.Segmenter("und", { granularity: "word" });

const segment = (run: string): string =>
  ` ${Array.from(segmenter.segment(run), (part) => part.segment).join(" ")} `;

/** Longer words do not fit into the index, so they are cut. */
const longestWord = 60;

/** The folded words of a text, in its order. They hold letters, digits and marks alone. */
export const wordsOf = (text: string): string[] =>
  splitWords(compose(text).replaceAll(dictionaryRuns, segment));

/**
 * The same of a text that ends within a word: a dictionary takes the beginning of a word for several
 * short ones, so the last letters without a space between them are one word here.
 */
export const unfinishedWordsOf = (text: string): string[] => {
  const composed = compose(text).trimEnd();
  return splitWords(
    composed.replaceAll(dictionaryRuns, (run, at: number) =>
      at + run.length === composed.length ? ` ${run} ` : segment(run),
    ),
  );
};

const compose = (text: string): string => composeAm(text.normalize("NFC"));

const splitWords = (spaced: string): string[] =>
  fold(spaced)
    .replaceAll(signs, " $& ")
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => word.slice(0, longestWord).replace(halfPair, ""));

/** The first half of a sign whose second half was cut off. */
const halfPair = /[\uD800-\uDBFF]$/;

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
