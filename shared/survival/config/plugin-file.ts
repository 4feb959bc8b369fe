import { createHash } from "node:crypto";

/** A plugin's name, and with it its file's: no dots and no slashes, so that it leads nowhere else. */
export const pluginNamePattern = /^[A-Za-z0-9_]{1,64}$/;

/** Bytes that a configuration may have, in UTF-8. */
export const largestConfig = 1024 * 1024;

/** Whether a text is larger than a configuration may be. */
export const isTooLarge = (text: string): boolean =>
  text.length > largestConfig || Buffer.byteLength(text) > largestConfig;

/** The hash by which a file's state is known: sha256 of its bytes, in hexadecimal. */
export const configHash = (text: string | Uint8Array): string =>
  createHash("sha256").update(text).digest("hex");
