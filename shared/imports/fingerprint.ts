import { createHash } from "node:crypto";

import type { FileStamp } from "./read-file.ts";

/** Stands for what a list of files holds: another name, order or content makes another. */
export const fingerprintOf = (files: readonly FileStamp[]): string =>
  createHash("sha256")
    .update(files.map(({ path, size, sha256 }) => `${path}\t${size}\t${sha256}\n`).join(""))
    .digest("hex");
