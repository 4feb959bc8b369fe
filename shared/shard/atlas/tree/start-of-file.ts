import { open } from "node:fs/promises";
import { TextDecoder } from "node:util";

import type { SourceFile } from "../../../imports/files/folder.ts";
import { readFlags } from "../../../imports/files/read-file.ts";
import { readXmlEncoding } from "../parsers/xml.ts";

const startBytes = 4_096;

/** The first bytes of a file, enough to recognise its family; empty when it cannot be read. */
export async function startOf({ absolute }: SourceFile): Promise<string> {
  const handle = await open(absolute, readFlags).catch(() => undefined);
  if (!handle) return "";
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(startBytes), 0, startBytes, 0);
    return readStart(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** Any encoding but UTF-16 writes the names of elements alike, so no other one is told apart. */
function readStart(bytes: Buffer): string {
  const { label } = readXmlEncoding(bytes);
  if (label.startsWith("UTF-16")) return new TextDecoder(label).decode(bytes);
  return bytes.toString("latin1").replace(/^\u00EF\u00BB\u00BF/, "");
}
