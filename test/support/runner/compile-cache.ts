import { readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { projectFolder } from "../../../jobs/commands/launch/script.ts";

/** The folder of Node's compile cache, which the programs started by tests share. */
export const compileCache =
  process.env["NODE_COMPILE_CACHE"] ??
  path.join(projectFolder, "node_modules/.cache/guildhall-compiled");

/** Another release has a folder of this run only, so its compiled code is removed with the run. */
export const compileCacheFor = (folder: string): NodeJS.ProcessEnv =>
  folder === projectFolder ? {} : { NODE_COMPILE_CACHE: path.join(tmpdir(), "compiled-releases") };

/** Most systems update the access time of a file at most once a day. */
const unreadForMs = 3 * 24 * 3_600_000;

/**
 * Removes cached files that were not read for days. Node names them by source path and never removes them,
 * so files of deleted sources and of older Node versions would accumulate.
 */
export function sweepCompiled(folder: string, now = Date.now()): void {
  for (const name of readNames(folder)) {
    const file = path.join(folder, name);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats?.isFile()) continue;
    if (now - Math.max(stats.atimeMs, stats.mtimeMs) > unreadForMs) rmSync(file, { force: true });
  }
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
}
