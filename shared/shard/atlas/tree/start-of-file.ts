import { open } from "node:fs/promises";

import type { SourceFile } from "../../../imports/files/folder.ts";
import { readFlags } from "../../../imports/files/read-file.ts";

const startBytes = 4_096;

/** The first bytes of a file, enough to recognise its family; empty when it cannot be read. */
export async function startOf({ absolute }: SourceFile): Promise<string> {
  const handle = await open(absolute, readFlags).catch(() => undefined);
  if (!handle) return "";
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(startBytes), 0, startBytes, 0);
    return buffer.toString("latin1", 0, bytesRead).replace(/^\u00EF\u00BB\u00BF/, "");
  } finally {
    await handle.close();
  }
}
