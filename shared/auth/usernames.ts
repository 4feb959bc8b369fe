import type { Fault } from "../errors.ts";
import { limits } from "../limits.ts";

const { min, max } = limits.username;
const wellFormed = new RegExp(`^[\\p{L}\\p{N}._-]{${min},${max}}$`, "u");

/** What user names are compared by, so that look-alikes in another case or form are one name. */
export const usernameKey = (username: string): string => username.normalize("NFKC").toLowerCase();

/** The name as it is stored and shown. */
export const normalizeUsername = (username: string): string => username.normalize("NFKC");

/** The faults of a name somebody wants to bear. */
export function checkUsername(username: string): Fault[] {
  if (wellFormed.test(normalizeUsername(username))) return [];
  const message = `username must be ${min} to ${max} letters, digits, '.', '_' or '-'`;
  return [{ path: "username", message }];
}
