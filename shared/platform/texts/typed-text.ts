import { limits } from "../limits.ts";
import { countCharacters } from "./visible-text.ts";

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

/** Spaces, dashes of any script, the minus sign, and signs of direction that are copied along. */
const between = /[\s\p{Pd}\u2212\p{Default_Ignorable_Code_Point}]/gu;

/**
 * A code as somebody types it, in the characters in which it was issued: letters and digits of full
 * width and digits of any script become those of ASCII, and what stands between groups is left out.
 */
export const readTypedCode = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll(between, "")
    .replaceAll(/\p{Nd}/gu, toAsciiDigit);

/**
 * Unicode has the digits of a script as ten code points in a row, from zero on, and rows of several
 * scripts may follow one another.
 */
function toAsciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(point - before - 1))) before += 1;
  return String(before % 10);
}
