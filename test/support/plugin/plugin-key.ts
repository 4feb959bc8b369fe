import { hashToken, generateToken } from "../../../shared/platform/crypto/tokens.ts";
import { pluginKeyPrefix } from "../../../shared/platform/plugin/calls.ts";
import { type DatabaseHolder, query } from "../database/query.ts";

/** Inserts a plugin key into the database. @returns the key */
export async function buildPluginKey(on: DatabaseHolder, source: string): Promise<string> {
  const key = generateToken(pluginKeyPrefix);
  const insertion = "insert into plugin_keys (source, digest) values ($1, $2)";
  await query(on, insertion, source, hashToken(key));
  return key;
}
