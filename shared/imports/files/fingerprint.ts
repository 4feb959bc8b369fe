import { createHash } from "node:crypto";

import type { FileStamp } from "./read-file.ts";

/** A hash of a list of files, which differs when a name, the order or a content does. */
export const fingerprintOf = (files: readonly FileStamp[]): string =>
  createHash("sha256")
    .update(files.map(({ path, size, sha256 }) => `${path}\t${size}\t${sha256}\n`).join(""))
    .digest("hex");
