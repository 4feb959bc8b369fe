declare module "http_ece" {
  import type { ECDH } from "node:crypto";

  /** Decrypts a message that was encrypted as RFC 8291 and RFC 8188 define. */
  export function decrypt(
    body: Buffer,
    keys: {
      readonly version: "aes128gcm";
      readonly privateKey: ECDH;
      readonly authSecret: Buffer;
    },
  ): Buffer;
}
