import type { Fault } from "../../errors.ts";
import { limits } from "../../limits.ts";

const { min, max } = limits.username;
const wellFormed = new RegExp(`^[\\p{L}\\p{N}._-]{${min},${max}}$`, "u");

/** Letters among them: fillers of Hangul, which no font draws. */
const invisible = /\p{Default_Ignorable_Code_Point}/u;

/** The name as it is stored and shown. */
export const normalizeUsername = (username: string): string => username.normalize("NFKC");

/**
 * What user names are compared by: names that differ in case, width or composition alone are one.
 * Upper case comes before lower case, so that `ß` is `ss` and `ς` is `σ`; before it stands lower
 * case again, because the capital `ẞ` has no other upper case. A sigma is one wherever it stands.
 */
export const foldUsername = (username: string): string =>
  normalizeUsername(username)
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .normalize("NFKC");

/**
 * The exact name in lower case, which older releases compare by. It also finds those whose fold
 * belongs to an older account.
 */
export const usernameKey = (username: string): string => normalizeUsername(username).toLowerCase();

/** The faults of a name somebody wants to have. */
export function checkUsername(username: string): Fault[] {
  const name = normalizeUsername(username);
  if (wellFormed.test(name) && !invisible.test(name)) return [];
  const message = `username must be ${min} to ${max} letters, digits, '.', '_' or '-'`;
  return [{ path: "username", message }];
}
