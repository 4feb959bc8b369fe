import { createHmac } from "node:crypto";

import type { Config } from "../config/config.ts";

type Keys = Pick<Config, "JWT_KEYS">;

/**
 * What stands for a name or an address where it must be recognised and not be read: nobody
 * without the key finds the text by trying.
 */
export function pseudonym(text: string, { JWT_KEYS }: Keys): string {
  const [key] = JWT_KEYS.values();
  if (!key) throw new Error("JWT_KEYS holds no key");
  return under(key, text).toString("base64url");
}

/**
 * The bytes that stand for a text under each key. The first are stored; stored ones may have been made
 * when another key was the first, so each of them may be a stored one.
 */
export const pseudonymsOf = (text: string, { JWT_KEYS }: Keys): readonly Buffer[] =>
  [...JWT_KEYS.values()].map((key) => under(key, text));

const under = (key: Buffer, text: string): Buffer =>
  createHmac("sha256", key).update(`pseudonym ${text}`).digest();
