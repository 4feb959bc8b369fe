/** No name or line of the game is near this long; what is longer is cut before it is looked at. */
const longestRead = 4_096;

const longestName = 64;

/** Controls, halves of characters, and what has no width or turns the direction of writing. */
const invisible = /[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\uFFFE\uFFFF]/gu;

/** What draws nothing though it counts as a sign. */
const blank = /[\s\p{Cc}\u2800]+/gu;

/** Tags of the game's rich text, `<color=#f00>` or `</b>`; those of HTML look the same. */
const tag = /<[/#a-z][^<>]*>/giu;

/** A player's name as it is shown; the id where nothing of the name is left. */
export const shownName = (name: string, steamId: string): string =>
  plainText(name, longestName) || steamId;

/**
 * What players wrote, in one line without markup and invisible characters.
 * @param longest characters that are kept
 */
export function plainText(text: string, longest: number): string {
  const visible = text
    .slice(0, longestRead)
    .normalize("NFC")
    .replaceAll(invisible, "")
    .replaceAll(blank, " ");
  const line = withoutTags(visible).normalize("NFC").replaceAll(blank, " ").trim();
  return Array.from(line).slice(0, longest).join("").trim();
}

/** Taking a tag out may join the halves of another. */
function withoutTags(text: string): string {
  const left = text.replaceAll(tag, "");
  return left === text ? text : withoutTags(left);
}
