import type { Fault } from "../../platform/errors/errors.ts";
import { limits } from "../../platform/limits.ts";
import { joinerInPlace } from "../../platform/texts/plain-text.ts";
import { isOfOneWriting } from "./scripts.ts";

const { min, max } = limits.username;

/** Signs within words of Hebrew and between syllables of Tibetan (UAX 31, table 3). */
const medial = String.raw`\u05F3\u05F4\u0F0B`;

/**
 * Letters, marks and digits by Unicode's rule for identifiers, without the signs of it that join words
 * or draw nothing. A joiner stands between letters that are written with it.
 */
const character = String.raw`[[\p{XIDC}.\-${medial}]--[\p{Pc}\p{Default_Ignorable_Code_Point}]]|_|${joinerInPlace}`;
const wellFormed = new RegExp(`^(?:${character}){${min},${max}}$`, "v");

/** A mark that stands on no letter or digit. */
const strayMark = /(?<![\p{L}\p{N}\p{M}\u200C\u200D])\p{M}/u;

/** Piles of marks (UTS 39, 5.4), in the decomposed name. */
const piledMarks = /[\p{Mn}\p{Me}]{5}|(\p{Mn})\1/u;

/**
 * Letters of Armenian, Thai and Lao that NFKC spells as two others, which their readers take for an
 * error. They are kept in the name that is shown.
 */
const keptLetter = /([\u0587\u0E33\u0EB3\u0EDC\u0EDD])/;

/** The name as it is stored and shown: without space around it, in NFKC but for the kept letters. */
export const normalizeUsername = (username: string): string =>
  username
    .trim()
    .split(keptLetter)
    .map((part, at) => (at % 2 === 1 ? part : part.normalize("NFKC")))
    .join("")
    .trim();

/**
 * What user names are compared by: names that differ in case, width, composition, joiners or the dot
 * of an `i` alone are one.
 * Upper case comes before lower case, so that `ß` is `ss`, `ς` is `σ` and `ı` is `i`; before it stands
 * lower case again, because the capital `ẞ` has no other upper case. A sigma is one wherever it stands.
 * The lower case of `İ` is an `i` with a dot above, which is taken off: a Turkish keyboard has `İ` and
 * `I` where others have `I` alone.
 */
export const foldUsername = (username: string): string =>
  compatible(username)
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .normalize("NFD")
    .replaceAll(/(?<=i\p{M}*)\u0307/gu, "")
    .normalize("NFKC")
    .trim();

const compatible = (username: string): string => username.trim().normalize("NFKC").trim();

/**
 * The exact name in lower case, which older releases compare by. It also finds those whose fold
 * belongs to an older account.
 */
export const usernameKey = (username: string): string => compatible(username).toLowerCase();

/** The faults of a name somebody wants to have. */
export function checkUsername(username: string): Fault[] {
  const rule = brokenRule(username);
  return rule === undefined ? [] : [{ path: "username", message: `username must ${rule}` }];
}

function brokenRule(username: string): string | undefined {
  const name = normalizeUsername(username);
  if (!wellFormed.test(name) || strayMark.test(name)) {
    return `be ${min} to ${max} letters, digits, '.', '_' or '-'`;
  }
  if (piledMarks.test(name.normalize("NFD"))) {
    return "have at most 4 marks on a letter, and none twice in a row";
  }
  if (!isOfOneWriting(name)) {
    return "be of one script, or of Latin and one other that is not Cyrillic or Greek";
  }
  return undefined;
}
