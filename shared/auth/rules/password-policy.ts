import { readFileSync } from "node:fs";
import path from "node:path";

import type { Fault } from "../../platform/errors/errors.ts";
import { siteName } from "../../platform/site-name.ts";
import { findPasswordLengthFault } from "../../platform/texts/typed-text.ts";
import { foldUsername } from "./usernames.ts";

/** Checks the length of a new password, and that it is not common or obvious. @param path of its field */
export function checkPassword(
  password: string,
  { username, path: at = "password" }: { username: string; path?: string },
): Fault[] {
  const fault = (rule: string): Fault[] => [{ path: at, message: `${at} ${rule}` }];
  const lengthRule = findPasswordLengthFault(password);
  if (lengthRule !== undefined) return fault(lengthRule);
  const key = foldUsername(password);
  if (key === foldUsername(username)) return fault("must not be the user name");
  if (key === foldUsername(siteName)) return fault("must not be the site's name");
  if (commonPasswords().has(key)) return fault("must not be one of the most common passwords");
  return [];
}

let loadedPasswords: ReadonlySet<string> | undefined;

function commonPasswords(): ReadonlySet<string> {
  loadedPasswords ??= readCommonPasswords();
  return loadedPasswords;
}

function readCommonPasswords(): ReadonlySet<string> {
  const text = readFileSync(path.join(import.meta.dirname, "common-passwords.txt"), "utf8");
  const lines = text.split("\n");
  const first = lines.findIndex((line) => /^-+$/.test(line)) + 1;
  return new Set(lines.slice(first).filter((line) => line !== ""));
}
