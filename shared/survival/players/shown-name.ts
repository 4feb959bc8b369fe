import { plainText } from "../../platform/texts/plain-text.ts";

/** Characters of a name. */
export const longestName = 64;

/** A player's name as it is shown; the id where nothing of the name is left. */
export const shownName = (name: string, steamId: string): string =>
  plainText(name, longestName) || steamId;
