/** Characters that XML forbids, so a feed could not contain them. */
// oxlint-disable-next-line no-control-regex
const invalidXml = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

export const removeInvalidXml = (text: string): string => text.replaceAll(invalidXml, "");

/** Normalizes a text of several lines for storage. */
export const cleanText = (text: string): string =>
  removeInvalidXml(text.replaceAll(/\r\n?/g, "\n")).normalize("NFC").trim();

/** Normalizes a line for storage. Removed characters can leave adjacent spaces, which are merged. */
export const cleanLine = (text: string): string =>
  cleanText(text.replaceAll(/\s+/g, " ")).replaceAll(/ {2,}/g, " ");

/** Normalizes a tag. NFC comes last, because it merges the separate accents that lower case can yield. */
export const cleanTag = (tag: string): string => cleanLine(tag.toLowerCase());

/** Cuts a text to a length in characters, between words if possible, and marks the cut with an ellipsis. */
export function shortenText(text: string, longest: number): string {
  const characters = Array.from(text);
  if (characters.length <= longest) return text;
  const cut = characters.slice(0, longest - 1).join("");
  const space = cut.lastIndexOf(" ");
  return `${(space > longest / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
