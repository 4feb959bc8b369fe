declare module "http_ece" {
  import type { ECDH } from "node:crypto";

  /** Opens a message of RFC 8188 that was encrypted as RFC 8291 says. */
  export function decrypt(
    body: Buffer,
    keys: {
      readonly version: "aes128gcm";
      readonly privateKey: ECDH;
      readonly authSecret: Buffer;
    },
  ): Buffer;
}
