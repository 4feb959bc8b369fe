import { readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { projectFolder } from "../../../jobs/commands/launch/script.ts";

/** The folder of the compile cache of Node.js. All programs that tests start share it. */
export const compileCache =
  process.env["NODE_COMPILE_CACHE"] ??
  path.join(projectFolder, "node_modules/.cache/guildhall-compiled");

/**
 * Returns environment variables with the compile cache of a release. The present release uses the shared cache.
 * Another release uses a folder that is removed at the end of the run.
 */
export const buildCompileCacheEnv = (folder: string): NodeJS.ProcessEnv =>
  folder === projectFolder ? {} : { NODE_COMPILE_CACHE: path.join(tmpdir(), "compiled-releases") };

/** Files not read for this long are removed. Most systems update access times at most daily. */
const unreadForMs = 3 * 24 * 3_600_000;

/**
 * Removes files of the cache that were not read for days. Node.js names a file by its source and
 * never removes it, so files of removed sources and older versions would accumulate.
 */
export function sweepCompileCache(folder: string, now = Date.now()): void {
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
