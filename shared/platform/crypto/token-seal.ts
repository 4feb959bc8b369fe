import { hkdfSync } from "node:crypto";

import { seal, unseal } from "./sealed.ts";

/**
 * Encrypts a text that only the holder of a token may read again: the key comes of the token, and the
 * database has a hash of the token alone.
 * @param sealContext what the text is; it can be read for nothing else
 */
export const sealByToken = (plain: string, token: string, sealContext: string): string =>
  seal(plain, sealContext, keysOf(token, sealContext));

/** @throws {UnreadableSecret} */
export const unsealByToken = (sealed: string, token: string, sealContext: string): string =>
  unseal(sealed, sealContext, keysOf(token, sealContext));

/** Tokens are 32 random bytes, so they need no slow derivation. */
const keysOf = (token: string, sealContext: string): ReadonlyMap<string, Buffer> =>
  new Map([["token", Buffer.from(hkdfSync("sha256", token, "", sealContext, 32))]]);
