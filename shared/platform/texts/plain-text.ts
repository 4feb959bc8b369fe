// THE rules by which text of players and game servers becomes plain: one line, without markup of a game's
// chat or a page, without invisible or direction-changing characters. Ingest applies them in the schema
// of each field (`shared/platform/bridge/payload-fields.ts`), so stored texts are plain.

/** Maximum length of a text to which the rules apply; the rest is cut. No name or line of a game is as long. */
const longestRead = 4_096;

/** Text that no rule changes, as nearly all texts are. This test is fast. */
const plainAlready = /^(?:[!-;=-Z\\-~]+(?: [!-;=-Z\\-~]+)*)?$/;

/** Letters of scripts that need zero-width joiners: Persian, Sinhala, the scripts of India. */
const joining =
  "[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Nkoo}\\p{scx=Mong}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}" +
  "\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}" +
  "\\p{scx=Khmr}\\p{scx=Mymr}]";

/** Invisible characters: format controls, surrogates, zero-width and direction-changing characters. */
const unseen = "[\\p{Cf}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\uFFFE\\uFFFF]";
const anyUnseen = new RegExp(unseen, "v");

/** The source of a pattern for one zero-width joiner between letters of scripts that need it. */
export const requiredJoinerPattern = `(?<=${joining})[\\u200C\\u200D](?=${joining})`;

/** Emoji sequences and required joiners, which stay although they contain invisible characters. */
const keptPattern = `\\p{RGI_Emoji}|${requiredJoinerPattern}`;
const keptOrUnseen = new RegExp(`(${keptPattern})|${unseen}`, "gv");

/** Characters that have a width but draw nothing. */
const blank = /[\s\p{Cc}\u2800]+/gu;

/** More than four marks on a letter, which would cover other lines. No script needs them (UTS 39). */
const piledMarks = /([\p{Mn}\p{Me}]{4})[\p{Mn}\p{Me}]+/gu;

/**
 * Tags of Unity's rich text and of HTML, `<color=#f00>` or `</b>`, and those of the mod loaders' chat,
 * which become Unity tags: `[#f00]`, `[+40]`, `[/#]`, `[b]`.
 */
const tag = /<[/#a-z][^<>]*>|\[(?:#[\da-z]*|\+\d*|\/[#+bi]|[bi])\]/giu;

/** The tags of Unity's rich text and TextMeshPro, by name. `List<string>` in a log does not match. */
const namedTag = new RegExp(
  "</?(?:#[\\da-f]*|(?:align|allcaps|alpha|b|br|color|cspace|font|font-weight|gradient|i|indent" +
    "|line-height|line-indent|link|lowercase|margin|mark|material|mspace|nobr|noparse|page|pos|quad" +
    "|rotate|s|size|smallcaps|space|sprite|strikethrough|style|sub|sup|u|uppercase|voffset|width)" +
    "\\s*(?:=[^<>]*)?\\s*/?)>",
  "giu",
);

/** Openings that would become a tag if a following text closed them, for example in a template. */
const openings = /<(?=[/#a-z]|$)|\[(?=[#+/]|[bi](?:\]|$)|$)/giu;

/** Characters that look like the brackets but do not begin a tag. */
const harmless: Readonly<Record<string, string>> = { "<": "\u2039", "[": "\u2045" };

/**
 * Returns a text of a player or game server as one line, without markup and invisible characters.
 * @param longest maximum length in characters
 */
export function toPlainText(text: string, longest: number): string {
  if (text.length <= longest && plainAlready.test(text)) return text;
  const line = plainLine(text.slice(0, longestRead));
  const signs = Array.from(line);
  if (signs.length <= longest) return withoutOpenings(line);
  // The cut may have split a tag or an emoji, so convert the rest to plain text again.
  return withoutOpenings(plainLine(signs.slice(0, longest).join("")));
}

/** Repeats the rules until nothing changes: one removal can create a match of another rule. */
function plainLine(text: string): string {
  const visible = withoutUnseen(text).replaceAll(blank, " ");
  const line = withoutTags(visible).normalize("NFC").replaceAll(blank, " ").trim();
  const left = line.replaceAll(piledMarks, "$1");
  return left === text ? text : plainLine(left);
}

/** Returns true if a text has no markup, no invisible characters and no letter with too many marks. */
export const isPlainText = (text: string): boolean =>
  plainAlready.test(text) ||
  !(anyUnseen.test(text) || /[<>\p{Cc}\u2028\u2029]|[\p{Mn}\p{Me}]{5}/u.test(text));

/** Makes a program's log plain. Line breaks, tabs and angle brackets of type names stay. */
export function toPlainLog(text: string, longest: number): string {
  if (text.length <= longest && plainAlready.test(text)) return text;
  const lines = text.slice(0, longest).split(/\r\n?|\n/);
  return lines.map(plainLogLine).join("\n").trimEnd();
}

/** Maximum number of rounds. Each reads the whole line; only a text crafted to keep its tags needs more. */
const mostRounds = 8;

/** Repeats the rules until nothing changes: one removal can create a match of another rule. */
function plainLogLine(line: string, round = 1): string {
  const left = withoutUnseen(line)
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, (sign) => (sign === "\t" ? sign : " "))
    .replaceAll(namedTag, "")
    .replaceAll(piledMarks, "$1");
  if (left === line) return left;
  return round < mostRounds
    ? plainLogLine(left, round + 1)
    : plainLogLine(left.replaceAll("<", harmless["<"] ?? ""));
}

function withoutUnseen(text: string): string {
  const composed = text.normalize("NFC");
  if (!anyUnseen.test(composed)) return composed;
  return composed.replaceAll(keptOrUnseen, "$1");
}

/** Repeats the removal until nothing changes, because it may join the halves of another tag. */
function withoutTags(text: string): string {
  const left = text.replaceAll(tag, "");
  return left === text ? text : withoutTags(left);
}

/**
 * Returns the text before an inserted value. Replaces a final bracket that would begin a tag together
 * with the value: `[` before `#f00` in `[{{name}}]`.
 */
export function replaceTagBracket(text: string, value: string): string {
  const bracket = text.at(-1) ?? "";
  if (!Object.hasOwn(harmless, bracket) || value === "") return text;
  const isOpening = withoutOpenings(`${bracket}${value}`)[0] !== bracket;
  return isOpening ? `${text.slice(0, -1)}${harmless[bracket]}` : text;
}

const withoutOpenings = (text: string): string =>
  text.replaceAll(openings, (sign) => harmless[sign] ?? "");
