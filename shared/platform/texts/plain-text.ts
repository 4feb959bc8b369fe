// THE rules of how text that players and game servers chose is made plain: one line, without the markup
// that a game's chat or a page would read, and without signs that nobody sees or that turn the writing.
// Ingest applies them by the schema of each field (`shared/platform/bridge/payload-fields.ts`), so that what is
// stored, told, pushed and filled into templates is plain already.

/** No name or line of the game is near this long; a longer text is cut before it is looked at. */
const longestRead = 4_096;

/** Text that every rule leaves as it is. Nearly all text is, and this costs one look at it. */
const plainAlready = /^(?:[!-;=-Z\\-~]+(?: [!-;=-Z\\-~]+)*)?$/;

/** Letters of scripts that are written with joiners: Persian, Sinhala, the scripts of India. */
const joining =
  "[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Nkoo}\\p{scx=Mong}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}" +
  "\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}" +
  "\\p{scx=Khmr}\\p{scx=Mymr}]";

/**
 * What nobody sees: controls of format, halves of characters, and what has no width or turns the
 * direction of writing.
 */
const unseen = "[\\p{Cf}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\uFFFE\\uFFFF]";
const anyUnseen = new RegExp(unseen, "v");

/** The source of a pattern: one joiner between letters of scripts that need it. */
export const joinerInPlace = `(?<=${joining})[\\u200C\\u200D](?=${joining})`;

/** Whole emoji are kept, and joiners in their place. */
const kept = `\\p{RGI_Emoji}|${joinerInPlace}`;
const keptOrUnseen = new RegExp(`(${kept})|${unseen}`, "gv");

/** What draws nothing though it counts as a sign. */
const blank = /[\s\p{Cc}\u2800]+/gu;

/**
 * No script stacks more than four marks without a width of their own on a letter (UTS 39, 5.4); a pile of
 * them covers the lines around it.
 */
const piledMarks = /([\p{Mn}\p{Me}]{4})[\p{Mn}\p{Me}]+/gu;

/**
 * Tags of Unity's rich text, `<color=#f00>` or `</b>`; those of HTML look the same. And those of the mod
 * loaders' chat, which become such tags: `[#f00]`, `[+40]`, `[/#]`, `[b]`.
 */
const tag = /<[/#a-z][^<>]*>|\[(?:#[\da-z]*|\+\d*|\/[#+bi]|[bi])\]/giu;

/** The tags of Unity's rich text and of TextMeshPro, by name: a log's `List<string>` is none. */
const namedTag = new RegExp(
  "</?(?:#[\\da-f]*|(?:align|allcaps|alpha|b|br|color|cspace|font|font-weight|gradient|i|indent" +
    "|line-height|line-indent|link|lowercase|margin|mark|material|mspace|nobr|noparse|page|pos|quad" +
    "|rotate|s|size|smallcaps|space|sprite|strikethrough|style|sub|sup|u|uppercase|voffset|width)" +
    "\\s*(?:=[^<>]*)?\\s*/?)>",
  "giu",
);

/** What would begin a tag if the text beside it ended one: a template joins texts. */
const openings = /<(?=[/#a-z]|$)|\[(?=[#+/]|[bi](?:\]|$)|$)/giu;

/** Drawn like the brackets, and read by nothing. */
const harmless: Readonly<Record<string, string>> = { "<": "\u2039", "[": "\u2045" };

/**
 * What players or a game server wrote, in one line without markup and invisible signs. A plain text
 * stays as it is.
 * @param longest characters that are kept
 */
export function plainText(text: string, longest: number): string {
  if (text.length <= longest && plainAlready.test(text)) return text;
  const line = plainLine(text.slice(0, longestRead));
  const signs = Array.from(line);
  if (signs.length <= longest) return withoutOpenings(line);
  // The cut may have parted what belongs together.
  return withoutOpenings(plainLine(signs.slice(0, longest).join("")));
}

/** What one rule takes out may leave what another takes out. */
function plainLine(text: string): string {
  const visible = withoutUnseen(text).replaceAll(blank, " ");
  const line = withoutTags(visible).normalize("NFC").replaceAll(blank, " ").trim();
  const left = line.replaceAll(piledMarks, "$1");
  return left === text ? text : plainLine(left);
}

/** Whether a text has neither markup, nor signs that nobody sees, nor a pile of marks. */
export const isSeenWhole = (text: string): boolean =>
  plainAlready.test(text) ||
  !(anyUnseen.test(text) || /[<>\p{Cc}\u2028\u2029]|[\p{Mn}\p{Me}]{5}/u.test(text));

/** The same of a program's log: its lines, tabs and angle brackets that name types stay. */
export function plainLog(text: string, longest: number): string {
  if (text.length <= longest && plainAlready.test(text)) return text;
  const lines = text.slice(0, longest).split(/\r\n?|\n/);
  return lines.map(plainLogLine).join("\n").trimEnd();
}

const plainLogLine = (line: string): string =>
  withoutUnseen(line)
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, (sign) => (sign === "\t" ? sign : " "))
    .replaceAll(namedTag, "")
    .replaceAll(namedTag, "")
    .replaceAll(piledMarks, "$1");

function withoutUnseen(text: string): string {
  const composed = text.normalize("NFC");
  if (!anyUnseen.test(composed)) return composed;
  return composed.replaceAll(keptOrUnseen, "$1");
}

/** Taking a tag out may join the halves of another. */
function withoutTags(text: string): string {
  const left = text.replaceAll(tag, "");
  return left === text ? text : withoutTags(left);
}

/**
 * A text that a value is written behind. The bracket that it ends with begins no tag of what the value says:
 * `[` before `#f00` of `[{{name}}]`.
 */
export function beforeValue(text: string, value: string): string {
  const bracket = text.at(-1) ?? "";
  if (!Object.hasOwn(harmless, bracket) || value === "") return text;
  const isOpening = withoutOpenings(`${bracket}${value}`)[0] !== bracket;
  return isOpening ? `${text.slice(0, -1)}${harmless[bracket]}` : text;
}

const withoutOpenings = (text: string): string =>
  text.replaceAll(openings, (sign) => harmless[sign] ?? "");
