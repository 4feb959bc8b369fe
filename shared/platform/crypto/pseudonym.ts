import { createHmac } from "node:crypto";

import type { Config } from "../config/config.ts";

type Keys = Pick<Config, "JWT_KEYS">;

/** Returns a value by which a name or address can be compared, but not guessed without the key. */
export function computePseudonym(text: string, { JWT_KEYS }: Keys): string {
  const [key] = JWT_KEYS.values();
  if (!key) throw new Error("JWT_KEYS holds no key");
  return hmacOf(key, text).toString("base64url");
}

/** Returns the pseudonym under each key. Store the first; compare with all, because keys change. */
export const pseudonymsOf = (text: string, { JWT_KEYS }: Keys): readonly Buffer[] =>
  [...JWT_KEYS.values()].map((key) => hmacOf(key, text));

const hmacOf = (key: Buffer, text: string): Buffer =>
  createHmac("sha256", key).update(`pseudonym ${text}`).digest();
