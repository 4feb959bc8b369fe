/** Arrays as texts that PostgreSQL reads: the library looks at each element, which is most of its work. */

/**
 * An array of JSON texts. What JSON escapes in a text of JSON are quotes and backslashes alone, and
 * PostgreSQL takes those the same way.
 * @param texts each of `JSON.stringify`
 */
export const jsonArray = (texts: readonly string[]): string =>
  `{${JSON.stringify(texts).slice(1, -1)}}`;

/** An array of numbers, or of words of letters and digits alone: anything else would need quotes. */
export const wordArray = (words: readonly number[] | readonly string[]): string =>
  `{${words.join()}}`;
