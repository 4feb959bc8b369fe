import { readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { projectFolder } from "../../../jobs/commands/launch/script.ts";

/** Where Node keeps what it compiles: each program that a test starts reads it instead of compiling. */
export const compileCache =
  process.env["NODE_COMPILE_CACHE"] ??
  path.join(projectFolder, "node_modules/.cache/guildhall-compiled");

/** Another release lies in a folder of this run alone: what is compiled of it goes with the run. */
export const compileCacheFor = (folder: string): NodeJS.ProcessEnv =>
  folder === projectFolder ? {} : { NODE_COMPILE_CACHE: path.join(tmpdir(), "compiled-releases") };

/** Most systems note once a day that a file was read. */
const unreadForMs = 3 * 24 * 3_600_000;

/**
 * Node names what it keeps by the file's path and never removes it: what nobody has read for days is
 * of a file that is gone, or for a Node that is.
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
