import unhomoglyph from "unhomoglyph";

import { roles } from "../../platform/access/roles.ts";
import { siteName } from "../../platform/site-name.ts";
import { foldUsername } from "./usernames.ts";

/**
 * A text with each character replaced by the one that stands for all that look like it: the skeleton
 * of Unicode Technical Standard 39 (section 4). Texts with one skeleton look alike.
 */
const skeletonOf = (text: string): string =>
  unhomoglyph(text.normalize("NFD").replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")).normalize(
    "NFD",
  );

/**
 * The forms by which names are compared for their look; names that share one are confusable. The
 * skeleton keeps case apart, so it is taken of the name as it is written and of its fold: `BiIIy` looks
 * like `billy` by the first.
 */
const looksOf = (name: string): ReadonlySet<string> =>
  new Set([name.trim(), foldUsername(name)].map((form) => foldUsername(skeletonOf(form))));

/** Names by which the site and its staff are addressed: no player bears one, or a look-alike. */
const reservedNames: readonly string[] = [
  siteName,
  // Who the record names for what the site does by itself.
  "system",
  ...roles.filter((role) => role !== "player"),
];

/** Whether a name looks like one of the others. */
export function looksLikeAny(name: string, others: readonly string[]): boolean {
  const looks = looksOf(name);
  return others.some((other) => [...looksOf(other)].some((look) => looks.has(look)));
}

/** Whether a name is reserved, or looks like one that is. */
export const looksReserved = (name: string): boolean => looksLikeAny(name, reservedNames);
