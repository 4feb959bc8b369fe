/**
 * Whether a word is remembered for those who mistype it. Shorter ones are like too many others, and
 * numbers are meant as they are written.
 */
export const isLearnt = (word: string): boolean => /^(?=.*\p{L}).{3,40}$/u.test(word);
