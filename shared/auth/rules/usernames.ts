import unhomoglyph from "unhomoglyph";

import { roles } from "../../platform/access/roles.ts";
import type { Fault } from "../../platform/errors/errors.ts";
import { limits } from "../../platform/limits.ts";
import { siteName } from "../../platform/site-name.ts";
import { joinerInPlace } from "../../platform/texts/plain-text.ts";

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

// THE rule of which scripts may meet in one name: the restriction level "moderately restrictive" of
// Unicode Technical Standard 39 (5.2). Scripts and their extensions come from the engine's Unicode data.
// Two choices of the standard are made here: names wholly in one script of limited use are let in, since
// people write with it; and characters are those of `XID_Continue`, which the engine knows, in place of
// `Identifier_Status`, which it does not.

/** Recommended scripts (UAX 31, table 5) that may stand beside Latin. */
const besideLatin = [
  "Arab Armn Beng Deva Ethi Geor Gujr Guru Hebr Khmr Knda Laoo",
  "Mlym Mymr Orya Sinh Taml Telu Thaa Thai Tibt",
].flatMap(split);

/** Recommended scripts whose letters imitate those of Latin: each stands alone. */
const imitatingLatin = ["Cyrl", "Grek"];

/** How Chinese, Japanese and Korean are written, each with Latin. */
const eastAsian = ["Latn Hani Bopo", "Latn Hani Hira Kana", "Latn Hani Hang"].map(split);

/** Scripts of limited use that living people write (UAX 31, table 7): each stands alone. */
const limitedUse = [
  "Adlm Bali Bamu Batk Cakm Cans Cham Cher Hmnp Java Kali Lana Lepc Limb Lisu Mand Mtei Newa Nkoo",
  "Olck Osge Plrd Rohg Saur Sund Sylo Syrc Tale Talu Tavt Tfng Vaii Wcho Yiii",
].flatMap(split);

function split(codes: string): string[] {
  return codes.split(" ");
}

const sets: readonly (readonly string[])[] = [
  ...besideLatin.map((script) => ["Latn", script]),
  ...eastAsian,
  ...[...imitatingLatin, ...limitedUse].map((script) => [script]),
];

/** Characters that each of these scripts may use, those that all scripts share among them. */
const writtenIn = (scripts: readonly string[]): string =>
  `[${["Zyyy", "Zinh", ...scripts].map((script) => String.raw`\p{scx=${script}}`).join("")}]*`;

const covered = new RegExp(`^(?:${sets.map(writtenIn).join("|")})$`, "v");

/** Whether one writing system covers the text, so that no letter in it imitates another's. */
const isOfOneWriting = (text: string): boolean => covered.test(text);

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
