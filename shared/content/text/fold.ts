/** Letters that Unicode does not decompose, and the letters by which searches find them. */
const letterReplacements: Readonly<Record<string, string>> = {
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
 * Accents that people omit: marks of Latin, Greek, Cyrillic, Hebrew, Arabic and Syriac letters. In other
 * scripts a mark changes the word, such as a vowel of Thai or Hindi, or the dots of Kana.
 */
const accents =
  /[[\p{M}&&[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]]--[\u3099\u309A]]/gv;

/** The decomposed Thai and Lao vowel AM has two characters, but dictionaries use the composed one. */
const composeAm = (text: string): string =>
  text.replaceAll("\u0E4D\u0E32", "\u0E33").replaceAll("\u0ECD\u0EB2", "\u0EB3");

/** Normalizes a text for comparison: case and accents do not matter. The result is independent of the locale. */
export const foldText = (text: string): string =>
  composeAm(text.normalize("NFKD").replaceAll(accents, ""))
    .toLowerCase()
    .replaceAll(/[ßæœøđðþłıς]/g, (letter) => letterReplacements[letter] ?? letter);

/** Scripts without spaces between words, which `Intl.Segmenter` splits with a dictionary. */
const inDictionary = "\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";

/** Scripts without spaces or dictionary. Each character is a word, so that parts of words are found too. */
const bySign = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}";

const dictionaryRuns = new RegExp(`[${inDictionary}]+`, "gu");
const signs = new RegExp(`[${bySign}]\\p{M}*`, "gu");
const beginsUnspaced = new RegExp(`^[${inDictionary}${bySign}]`, "u");

/** Returns true if the word's script has no spaces, so that the word can begin within a run of letters. */
export const hasUnspacedScript = (word: string): boolean => beginsUnspaced.test(word);

/** The segmenter chooses its dictionary by the script, whatever the locale. */
const segmenter = new Intl.Segmenter("und", { granularity: "word" });

const segment = (run: string): string =>
  ` ${Array.from(segmenter.segment(run), (part) => part.segment).join(" ")} `;

/** Longer words are cut, because they do not fit into the index. */
const longestWord = 60;

/** Returns the folded words of a text in order. They contain only letters, digits and marks. */
export const wordsOf = (text: string): string[] =>
  splitWords(compose(text).replaceAll(dictionaryRuns, segment));

/** Splits a text whose last word may be incomplete: the dictionary would split that word, so it stays whole. */
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
  foldText(spaced)
    .replaceAll(signs, " $& ")
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => word.slice(0, longestWord).replace(unpairedSurrogate, ""));

/** The first half of a surrogate pair that was cut. */
const unpairedSurrogate = /[\uD800-\uDBFF]$/;

/** The folded form of each code unit, computed at its first use; 0 if not computed yet. */
const foldedUnits = new Uint16Array(0x1_00_00);

/** The folded forms of surrogate pairs. The map is cleared at its limit, because there are a million pairs. */
const foldedPairs = new Map<string, string>();
const mostPairs = 4096;

const plain = /^[\0-\u007F]*$/;
const paired = /[\uD800-\uDBFF][\uDC00-\uDFFF]/;

/**
 * Folds a text and keeps each character at its position and length, so that a position in the result is
 * valid in the original. It uses lookup tables, because a search folds the texts of all its hits and blocks
 * the event loop meanwhile. Give it a few thousand code units at most.
 */
export function foldTextKeepingPositions(text: string): string {
  if (plain.test(text)) return text.toLowerCase();
  const folded = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    folded[at] = foldedUnits[unit] || foldUnit(unit);
  }
  // `apply` is several times faster than spreading the array.
  const single = Reflect.apply(String.fromCharCode, null, folded);
  return paired.test(single) ? single.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, foldPair) : single;
}

function foldUnit(unit: number): number {
  const folded = foldCharacter(String.fromCharCode(unit)).charCodeAt(0);
  foldedUnits[unit] = folded;
  return folded;
}

function foldPair(pair: string): string {
  const known = foldedPairs.get(pair);
  if (known !== undefined) return known;
  if (foldedPairs.size >= mostPairs) foldedPairs.clear();
  const folded = foldCharacter(pair);
  foldedPairs.set(pair, folded);
  return folded;
}

/** Composes the folded character again, so that a Hangul syllable stays one character. */
const foldCharacter = (sign: string): string =>
  foldText(sign).normalize("NFC").slice(0, sign.length).padEnd(sign.length);
