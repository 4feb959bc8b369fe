import { createCipheriv, createDecipheriv, randomBytes, hkdfSync } from "node:crypto";

import type { Config } from "../config/config.ts";

const version = "v1";
const cipherName = "aes-256-gcm";
// Node accepts shorter tags by default, and a short tag can be forged.
const authTagLength = 16;

export type SecretsKeys = Config["SECRETS_KEYS"];

/** The key of a sealed text is missing, or the text was sealed with another context. */
export class UnreadableSecretError extends Error {
  constructor(reason: string) {
    super(`secret cannot be read: ${reason}`);
    this.name = "UnreadableSecretError";
  }
}

/**
 * Encrypts with the first key.
 * @param sealContext kind and owner of the text (`shardlink|token`); decryption needs the same context
 */
export function sealText(plain: string, sealContext: string, keys: SecretsKeys): string {
  const [first] = keys;
  if (!first) throw new Error("SECRETS_KEYS holds no key");
  const [keyId, key] = first;
  const iv = randomBytes(12);
  const cipher = createCipheriv(cipherName, key, iv, { authTagLength }).setAAD(
    Buffer.from(sealContext),
  );
  const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  const parts = [iv, text, cipher.getAuthTag()].map((part) => part.toString("base64url"));
  return [version, keyId, ...parts].join(".");
}

/** @throws {UnreadableSecretError} if the key is missing or the context differs */
export function unsealText(sealed: string, sealContext: string, keys: SecretsKeys): string {
  const [head, keyId = "", iv = "", text = "", tag = ""] = sealed.split(".");
  const key = keys.get(keyId);
  if (head !== version || !key) throw new UnreadableSecretError(`no key ${keyId}`);
  try {
    const decipher = createDecipheriv(cipherName, key, Buffer.from(iv, "base64url"), {
      authTagLength,
    })
      .setAAD(Buffer.from(sealContext))
      .setAuthTag(Buffer.from(tag, "base64url"));
    const plain = Buffer.concat([
      decipher.update(Buffer.from(text, "base64url")),
      decipher.final(),
    ]);
    return plain.toString("utf8");
  } catch {
    throw new UnreadableSecretError("it was changed, or was encrypted for another field");
  }
}

/** True if the text is encrypted with another key than the first. */
export function isSealedWithOldKey(sealed: string, keys: SecretsKeys): boolean {
  const [firstId] = keys.keys();
  return sealed.split(".")[1] !== firstId;
}

/**
 * Encrypts a text with a key derived from a token. Only the token's holder can read it, because the
 * database stores only the token's hash.
 * @param sealContext the kind of text; unsealing needs the same context
 */
export const sealTextByToken = (plain: string, token: string, sealContext: string): string =>
  sealText(plain, sealContext, keysOf(token, sealContext));

/** @throws {UnreadableSecretError} if the token or the context differs */
export const unsealTextByToken = (sealed: string, token: string, sealContext: string): string =>
  unsealText(sealed, sealContext, keysOf(token, sealContext));

/** Tokens are 32 random bytes, so a fast derivation is safe. */
const keysOf = (token: string, sealContext: string): ReadonlyMap<string, Buffer> =>
  new Map([["token", Buffer.from(hkdfSync("sha256", token, "", sealContext, 32))]]);
