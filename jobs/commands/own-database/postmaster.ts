import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { LaunchError } from "../launch/launch-error.ts";

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

/** Timeout of the fast shutdown of a server that an earlier run left behind. */
const shutdownMs = 8_000;
const killTimeoutMs = 2_000;

export function findPostmaster(folder: string): Postmaster | undefined {
  const [pid, , , port] = readLines(lockFile(folder));
  const postmaster = { pid: Number(pid), port: Number(port) };
  if (!(postmaster.pid > 0) || !runsOn(postmaster.pid, folder)) return undefined;
  return postmaster;
}

/**
 * Ends the server that a killed run left behind, or removes its lock file: PostgreSQL does not start if another
 * program now has the process id in that file. Call `claimFolder` first.
 */
export async function stopStalePostmaster(folder: string): Promise<void> {
  const leftover = findPostmaster(folder);
  if (!leftover) {
    rmSync(lockFile(folder), { force: true });
    return;
  }
  // SIGINT is PostgreSQL's fast shutdown. SIGQUIT ends it immediately, and the next start recovers from the WAL.
  if (await endsAfter("SIGINT", leftover.pid, shutdownMs)) return;
  if (await endsAfter("SIGQUIT", leftover.pid, killTimeoutMs)) return;
  throw new LaunchError(
    `PostgreSQL of an earlier run (process ${leftover.pid}) does not end: kill it, then start again`,
  );
}

const lockFile = (folder: string): string => path.join(folder, "postmaster.pid");

function readLines(file: string): string[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8").split("\n");
}

/** Returns true if the process is a PostgreSQL with this data folder, which is always its working directory. */
function runsOn(pid: number, folder: string): boolean {
  if (!isAlive(pid)) return false;
  try {
    if (existsSync("/proc/self")) return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
    const command = execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
    return command.includes("postgres") && command.includes(folder);
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function endsAfter(signal: NodeJS.Signals, pid: number, withinMs: number): Promise<boolean> {
  process.kill(pid, signal);
  const giveUpAt = performance.now() + withinMs;
  while (isAlive(pid) && performance.now() < giveUpAt) await sleep(50);
  return !isAlive(pid);
}
