import unhomoglyph from "unhomoglyph";

import { roles } from "../../platform/access/roles.ts";
import type { Fault } from "../../platform/errors/errors.ts";
import { limits } from "../../platform/limits.ts";
import { siteName } from "../../platform/site-name.ts";
import { requiredJoinerPattern } from "../../platform/texts/plain-text.ts";

const { min, max } = limits.username;

/** Punctuation inside words of Hebrew and between syllables of Tibetan (UAX 31, table 3). */
const medialCharacters = String.raw`\u05F3\u05F4\u0F0B`;

/**
 * Letters, marks and digits of Unicode identifiers, without connectors and invisible characters. A
 * zero-width joiner is accepted only between letters of scripts that use it.
 */
const character = String.raw`[[\p{XIDC}.\-${medialCharacters}]--[\p{Pc}\p{Default_Ignorable_Code_Point}]]|_|${requiredJoinerPattern}`;
const wellFormed = new RegExp(`^(?:${character}){${min},${max}}$`, "v");

/** A combining mark that follows no letter or digit. */
const strayMark = /(?<![\p{L}\p{N}\p{M}\u200C\u200D])\p{M}/u;

/** Too many combining marks on a letter (UTS 39, 5.4), in the decomposed name. */
const piledMarks = /[\p{Mn}\p{Me}]{5}|(\p{Mn})\1/u;

/** Letters of Armenian, Thai and Lao that NFKC would split into two, which looks like a misspelling. */
const keptLetter = /([\u0587\u0E33\u0EB3\u0EDC\u0EDD])/;

/** Returns the name to store and show: trimmed, and in NFKC except for the letters of `keptLetter`. */
export const normalizeUsername = (username: string): string =>
  username
    .trim()
    .split(keptLetter)
    .map((part, at) => (at % 2 === 1 ? part : part.normalize("NFKC")))
    .join("")
    .trim();

/**
 * Returns the fold by which user names are compared. Names are equal if they differ only in case, width,
 * composition, joiners or the dot of an `i`. Names are converted to lower, upper and lower case. Upper case turns
 * `ß` into `SS`, `ς` into `Σ` and `ı` into `I`. The first conversion turns the capital `ẞ`, which has no other
 * upper case, into `ß`. The lower case of `İ` is an `i` with a combining dot. That dot is removed, because a
 * Turkish keyboard has `İ` and `I` where other keyboards have only `I`.
 */
export const foldUsername = (username: string): string =>
  toNfkc(username)
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .normalize("NFD")
    .replaceAll(/(?<=i\p{M}*)\u0307/gu, "")
    .normalize("NFKC")
    .trim();

const toNfkc = (username: string): string => username.trim().normalize("NFKC").trim();

/** Returns the exact name in lower case, which older releases compare. It also finds users without a fold. */
export const usernameKey = (username: string): string => toNfkc(username).toLowerCase();

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

// THE rule of which scripts may meet in one name: the level "moderately restrictive" of Unicode Technical
// Standard 39 (5.2). Scripts and extensions come from the engine's Unicode data. It differs from the
// standard in two ways: names wholly in one script of limited use are accepted, since people write with
// it; and `XID_Continue` replaces `Identifier_Status`, which the engine does not know.

/** Recommended scripts (UAX 31, table 5) that may be mixed with Latin. */
const mixableWithLatin = [
  "Arab Armn Beng Deva Ethi Geor Gujr Guru Hebr Khmr Knda Laoo",
  "Mlym Mymr Orya Sinh Taml Telu Thaa Thai Tibt",
].flatMap(split);

/** Recommended scripts whose letters resemble Latin: they cannot be mixed with another script. */
const latinLookAlikes = ["Cyrl", "Grek"];

/** The scripts of Chinese, Japanese and Korean, each with Latin. */
const eastAsian = ["Latn Hani Bopo", "Latn Hani Hira Kana", "Latn Hani Hang"].map(split);

/** Scripts of limited use with living writers (UAX 31, table 7): they cannot be mixed with others. */
const limitedUse = [
  "Adlm Bali Bamu Batk Cakm Cans Cham Cher Hmnp Java Kali Lana Lepc Limb Lisu Mand Mtei Newa Nkoo",
  "Olck Osge Plrd Rohg Saur Sund Sylo Syrc Tale Talu Tavt Tfng Vaii Wcho Yiii",
].flatMap(split);

function split(codes: string): string[] {
  return codes.split(" ");
}

const scriptSets: readonly (readonly string[])[] = [
  ...mixableWithLatin.map((script) => ["Latn", script]),
  ...eastAsian,
  ...[...latinLookAlikes, ...limitedUse].map((script) => [script]),
];

/** A pattern of the characters of these scripts and of the characters common to all scripts. */
const scriptPattern = (scripts: readonly string[]): string =>
  `[${["Zyyy", "Zinh", ...scripts].map((script) => String.raw`\p{scx=${script}}`).join("")}]*`;

const oneWritingPattern = new RegExp(`^(?:${scriptSets.map(scriptPattern).join("|")})$`, "v");

/** True if the scripts of the text may be mixed, so that no letter imitates another script's letter. */
const isOfOneWriting = (text: string): boolean => oneWritingPattern.test(text);

/** Returns the skeleton (Unicode Technical Standard 39, section 4): look-alikes have the same skeleton. */
const skeletonOf = (text: string): string =>
  unhomoglyph(text.normalize("NFD").replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")).normalize(
    "NFD",
  );

/**
 * Returns keys of a name's look; names that share a key are confusable. The skeleton depends on case, so one key
 * comes from the name and one from its fold: only the name itself shows that `BiIIy` looks like `billy`.
 */
const lookKeys = (name: string): ReadonlySet<string> =>
  new Set([name.trim(), foldUsername(name)].map((form) => foldUsername(skeletonOf(form))));

/** Names of the site and its staff. No player may have one or a look-alike. */
const reservedNames: readonly string[] = [
  siteName,
  // The activity log's actor for automatic actions.
  "system",
  ...roles.filter((role) => role !== "player"),
];

/** True if a name looks like one of the others. */
export function isSimilarToAnyName(name: string, others: readonly string[]): boolean {
  const looks = lookKeys(name);
  return others.some((other) => [...lookKeys(other)].some((look) => looks.has(look)));
}

/** True if a name is reserved or looks like a reserved name. */
export const isLikeReservedName = (name: string): boolean =>
  isSimilarToAnyName(name, reservedNames);
