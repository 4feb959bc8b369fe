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

/** The folder in which Linux keeps files in memory. */
const memory = "/dev/shm";
/**
 * The space that is required in memory: several times what a complete run needs. Containers may
 * have a few megabytes only.
 */
const neededBytes = 2 * 1024 ** 3;

/**
 * Creates the folder of a test run. It is in memory if there is enough space: a database consists of a thousand
 * files, and copying them in memory takes a twentieth of the time. `TEST_RUNS_IN` names another parent folder. A
 * run removes the folders of dead runs in its parent folder, so some tests need a parent folder of their own.
 */
export const makeRunFolder = (): string =>
  makeFolder(process.env["TEST_RUNS_IN"] ?? (hasRoom() ? memory : tmpdir()));

/**
 * Creates a folder on disk, for a run whose commits must wait for the disk. The folder is removed
 * when the process exits.
 */
export function keepRunOnDisk(): void {
  const folder = makeFolder(process.env["TEST_RUNS_IN"] ?? tmpdir());
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}

/**
 * Creates a folder for the run. Temporary files of the run and of its programs are created in it,
 * and removed with it.
 */
function makeFolder(parent: string): string {
  removeLeftovers(parent);
  const folder = mkdtempSync(path.join(parent, `guildhall-test-${process.pid}-`));
  // If the tests run as root, PostgreSQL runs as another user and must be able to enter the folder.
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

/** Removes the folders of runs that were killed. */
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
