import { createHmac } from "node:crypto";

import type { Config } from "../config/config.ts";

/**
 * What stands for a name or an address where it must be recognised and not be read: nobody
 * without the key finds the text by trying.
 */
export function pseudonym(text: string, { JWT_KEYS }: Pick<Config, "JWT_KEYS">): string {
  const [key] = JWT_KEYS.values();
  if (!key) throw new Error("JWT_KEYS holds no key");
  return createHmac("sha256", key).update(`pseudonym ${text}`).digest("base64url");
}
