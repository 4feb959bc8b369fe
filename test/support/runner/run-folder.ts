import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** The folder of Linux's in-memory file system. */
const memory = "/dev/shm";
/** Several times the need of a full test run. Containers may have only a few megabytes. */
const neededBytes = 2 * 1024 ** 3;

/**
 * Makes the folder of a test run, in memory if there is enough room. A database is a thousand files, and
 * copying it in memory costs a twentieth of a copy on disk. `TEST_RUNS_IN` names a parent folder for
 * isolated runs, because each run removes the folders of dead ones next to it.
 */
export const makeRunFolder = (): string =>
  makeFolder(process.env["TEST_RUNS_IN"] ?? (hasRoom() ? memory : tmpdir()));

/** Makes a folder on disk for a run whose commits wait for the disk. It is removed when this process exits. */
export function keepRunOnDisk(): void {
  const folder = makeFolder(process.env["TEST_RUNS_IN"] ?? tmpdir());
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}

/** Temporary files of the run and its programs go into this folder too and are removed with it. */
function makeFolder(parent: string): string {
  removeLeftovers(parent);
  const folder = mkdtempSync(path.join(parent, `guildhall-test-${process.pid}-`));
  // PostgreSQL runs as another user if the tests run as root.
  chmodSync(folder, 0o755);
  process.env["TMPDIR"] = folder;
  return folder;
}

function hasRoom(): boolean {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
}

/** A killed run leaves its folder behind, so the next run removes it. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = /^guildhall-test-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    rmSync(path.join(parent, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
