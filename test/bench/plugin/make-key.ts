import type { Client } from "pg";

import { hashToken, generateToken } from "../../../shared/platform/crypto/tokens.ts";
import { pluginKeyPrefix } from "../../../shared/platform/plugin/calls.ts";

/** Inserts a plugin key for a game server. @returns the key */
export async function makeKey(source: string, client: Client): Promise<string> {
  const key = generateToken(pluginKeyPrefix);
  await client.query("insert into plugin_keys (source, digest) values ($1, $2)", [
    source,
    hashToken(key),
  ]);
  return key;
}
