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
