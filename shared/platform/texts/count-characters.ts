/** Counted as people count: an emoji is one character. */
export const countCharacters = (text: string): number => Array.from(text).length;
