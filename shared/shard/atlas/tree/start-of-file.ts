import { open } from "node:fs/promises";
import { TextDecoder } from "node:util";

import type { SourceFile } from "../../../imports/files/folder.ts";
import { fileOpenFlags } from "../../../imports/files/read-file.ts";
import { readXmlEncoding } from "../parsers/xml.ts";

const startBytes = 4_096;

/** Reads enough of a file to recognize its family; empty if the file cannot be read. */
export async function readStartOfFile({ absolute }: SourceFile): Promise<string> {
  const handle = await open(absolute, fileOpenFlags).catch(() => undefined);
  if (!handle) return "";
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(startBytes), 0, startBytes, 0);
    return readStart(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** Decodes the start of a file. Element names are ASCII, so only UTF-16 needs a decoder of its own. */
function readStart(bytes: Buffer): string {
  const { label } = readXmlEncoding(bytes);
  if (label.startsWith("UTF-16")) return new TextDecoder(label).decode(bytes);
  return bytes.toString("latin1").replace(/^\u00EF\u00BB\u00BF/, "");
}
