import { limits } from "../limits.ts";
import { countCharacters } from "./visible-text.ts";

/**
 * Normalizes a password by the OpaqueString profile of RFC 8265 (section 4.2.2): ASCII spaces and NFC,
 * so that different keyboards give the same password. Width and case stay, because mapping them would
 * make different passwords equal.
 */
export const normalizePassword = (plain: string): string =>
  plain.replaceAll(/\p{Zs}/gu, " ").normalize("NFC");

const { min: minLength, max: maxLength } = limits.password;

/** Maximum number of code points into which one character in NFC decomposes. */
const longestComposed = 4;

/**
 * Counts the characters of a normalized password. A text that is too long even in its shortest form is not
 * normalized, because the time for that grows with the square of the number of its marks.
 */
export function countPasswordCharacters(plain: string): number {
  const given = countCharacters(plain);
  if (given > longestComposed * maxLength) return given;
  return countCharacters(normalizePassword(plain));
}

/** Returns the rule that the length of a password breaks; undefined if the length is valid. */
export function findPasswordLengthFault(password: string): string | undefined {
  const length = countPasswordCharacters(password);
  if (length < minLength) return `must be ${minLength} characters or more`;
  return length > maxLength ? `must be ${maxLength} characters or fewer` : undefined;
}

/** Separators in typed codes: spaces, dashes of any script, minus signs, copied direction marks. */
const between = /[\s\p{Pd}\u2212\p{Default_Ignorable_Code_Point}]/gu;

/** Converts a typed code: letters and digits become ASCII, and separators between groups are removed. */
export const normalizeTypedCode = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll(between, "")
    .replaceAll(/\p{Nd}/gu, toAsciiDigit);

/**
 * Converts a digit. Unicode lists the ten digits of a script in order from zero, sometimes right after those of
 * another script.
 */
function toAsciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(point - before - 1))) before += 1;
  return String(before % 10);
}
