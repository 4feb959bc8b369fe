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

/** What texts are compared by, whatever their case and accents. The server's locale has no part. */
export const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[ßæœøđðþłıς]/g, (letter) => alike[letter] ?? letter);

/** Scripts that put no space between words: each of their signs counts as a word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;

/** Longer words do not fit into the index, so they are cut. */
const longestWord = 60;

/** The folded words of a text, in its order. */
export const wordsOf = (text: string): string[] =>
  fold(text)
    .replaceAll(unspaced, " $& ")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => word.slice(0, longestWord));
