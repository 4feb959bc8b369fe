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

/** Where Linux keeps files in memory. */
const memory = "/dev/shm";
/** Several times what a run of all tests needs at once: containers may offer a few megabytes. */
const neededBytes = 2 * 1024 ** 3;

/**
 * Makes the folder of a test run, in memory where the system offers room for it: a database is a
 * thousand files, and copying one there costs a twentieth of what it costs on a disk. `TEST_RUNS_IN`
 * is where runs keep to themselves: each sweeps what dead ones beside it left.
 */
export const makeRunFolder = (): string =>
  makeFolder(process.env["TEST_RUNS_IN"] ?? (hasRoom() ? memory : tmpdir()));

/** The same for a run whose commits wait for the disk. It goes with this process. */
export function keepRunOnDisk(): void {
  const folder = makeFolder(process.env["TEST_RUNS_IN"] ?? tmpdir());
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}

/** What the run and its programs put into temporary folders goes there as well, and with it. */
function makeFolder(parent: string): string {
  removeLeftovers(parent);
  const folder = mkdtempSync(path.join(parent, `guildhall-test-${process.pid}-`));
  // PostgreSQL runs as another user where the tests run as root.
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

/** A run that was killed could not remove its folder: the next one does. */
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
