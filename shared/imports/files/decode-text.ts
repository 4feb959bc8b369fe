import { TextDecoder } from "node:util";

/** UTF-8, or else the encoding of western Windows, which old tools wrote. */
export function decodeLoosely(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
