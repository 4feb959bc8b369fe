import { createECDH, type ECDH, randomBytes } from "node:crypto";

import { decrypt } from "http_ece";

export interface StoredKeys {
  readonly privateKey: string;
  readonly auth: string;
}

export function makeKeys(): StoredKeys {
  const curve = createECDH("prime256v1");
  curve.generateKeys();
  const auth = randomBytes(16).toString("base64url");
  return { privateKey: curve.getPrivateKey("base64url"), auth };
}

/** A browser or an app. It has the private key with which its messages are decrypted (RFC 8291). */
export class UserAgent {
  readonly #private: ECDH = createECDH("prime256v1");
  readonly #auth: Buffer;
  readonly keys: { readonly p256dh: string; readonly auth: string };

  constructor({ privateKey, auth }: StoredKeys = makeKeys()) {
    this.#private.setPrivateKey(privateKey, "base64url");
    this.#auth = Buffer.from(auth, "base64url");
    this.keys = { p256dh: this.#private.getPublicKey("base64url"), auth };
  }

  /** Decrypts a message. @throws if the message was encrypted for other keys */
  read(body: Buffer): unknown {
    const version = "aes128gcm";
    const keys = { version, privateKey: this.#private, authSecret: this.#auth } as const;
    return JSON.parse(decrypt(body, keys).toString()) as unknown;
  }
}
