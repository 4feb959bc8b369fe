import { ECDH } from "node:crypto";

/** The keys of a subscription, as a browser gives them. */
export interface DeviceKeys {
  readonly p256dh: string;
  readonly auth: string;
}

/** base64 and base64url, with or without padding. */
const base64Pattern = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** The same key as base64url; null when it is none. */
export function readPublicKey(text: string): string | null {
  const key = decode(text);
  if (key?.length !== 65 || key[0] !== 4) return null;
  try {
    // It refuses what is no point of the curve: nothing could be encrypted for that.
    ECDH.convertKey(key, "prime256v1");
    return key.toString("base64url");
  } catch {
    return null;
  }
}

/** The same secret as base64url; null when it is none. */
export function readAuthSecret(text: string): string | null {
  const secret = decode(text);
  return secret?.length === 16 ? secret.toString("base64url") : null;
}

const decode = (text: string): Buffer | null =>
  base64Pattern.test(text) ? Buffer.from(text, "base64url") : null;
