import { limits } from "../limits.ts";
import { countCharacters } from "./count-characters.ts";

/**
 * A password in the form in which it is hashed and counted: the OpaqueString profile of RFC 8265
 * (section 4.2.2). Spaces of other scripts become the space of ASCII, and the text is in NFC: the same
 * letters from two keyboards are one password. Width and case stay: the profile forbids mapping
 * full-width and half-width letters to each other, since that would make different passwords one.
 */
export const normalizePassword = (plain: string): string =>
  plain.replaceAll(/\p{Zs}/gu, " ").normalize("NFC");

const { min: minLength, max: maxLength } = limits.password;

/** A character in NFC comes of at most four code points. */
const longestComposed = 4;

/**
 * Characters of a password as it is hashed. A text that is too long in any form is counted as it is:
 * the time to compose marks grows with the square of their number.
 */
export function countPassword(plain: string): number {
  const given = countCharacters(plain);
  if (given > longestComposed * maxLength) return given;
  return countCharacters(normalizePassword(plain));
}

/** What is wrong with a password's length as it is hashed, if anything is. */
export function brokenLengthRule(password: string): string | undefined {
  const length = countPassword(password);
  if (length < minLength) return `must be ${minLength} characters or more`;
  return length > maxLength ? `must be ${maxLength} characters or fewer` : undefined;
}
