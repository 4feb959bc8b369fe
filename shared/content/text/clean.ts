/** Characters that XML has no place for, so that a feed could not hold them. */
// oxlint-disable-next-line no-control-regex
const notInXml = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

/** A text without them. */
export const fitForXml = (text: string): string => text.replaceAll(notInXml, "");

/** A text of several lines as it is stored. */
export const cleanText = (text: string): string =>
  fitForXml(text.replaceAll(/\r\n?/g, "\n")).normalize("NFC").trim();

/** A text of one line as it is stored. Spaces meet where what stood between them has no place. */
export const cleanLine = (text: string): string =>
  cleanText(text.replaceAll(/\s+/g, " ")).replaceAll(/ {2,}/g, " ");

/** A tag as it is stored and looked for. Some letters are one sign in lower case only. */
export const cleanTag = (tag: string): string => cleanLine(tag.toLowerCase());

/** The beginning of a text, cut between words where it is too long. */
export function shorten(text: string, longest: number): string {
  const characters = Array.from(text);
  if (characters.length <= longest) return text;
  const cut = characters.slice(0, longest - 1).join("");
  const space = cut.lastIndexOf(" ");
  return `${(space > longest / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
