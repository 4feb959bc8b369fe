import { createHmac } from "node:crypto";

import type { Config } from "../config/config.ts";

type Keys = Pick<Config, "JWT_KEYS">;

/** Makes a comparable value of a name or address. The text cannot be guessed without the key. */
export function pseudonym(text: string, { JWT_KEYS }: Keys): string {
  const [key] = JWT_KEYS.values();
  if (!key) throw new Error("JWT_KEYS holds no key");
  return hmacOf(key, text).toString("base64url");
}

/** Pseudonyms under each key. The first is stored; compare with all, as stored ones may have an older key. */
export const pseudonymsOf = (text: string, { JWT_KEYS }: Keys): readonly Buffer[] =>
  [...JWT_KEYS.values()].map((key) => hmacOf(key, text));

const hmacOf = (key: Buffer, text: string): Buffer =>
  createHmac("sha256", key).update(`pseudonym ${text}`).digest();
