import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

import { LaunchError } from "../launch/launch-error.ts";
import { findFreePort } from "../launch/ports.ts";
import { clusterUser, ensureCluster, findBinaries, serverCommand } from "./cluster.ts";
import { closeStarterPipeOnExit, wrapWithStarterPipe } from "./starter-pipe.ts";

export interface LocalPostgres {
  readonly url: string;
  readonly port: number;
  urlOf(database: string): string;
  /** Resolves when the server ends, with the reason. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export interface LocalPostgresOptions {
  /** Folder of the cluster, which is created on first use. */
  readonly folder: string;
  /** Port on 127.0.0.1. The default is a free one. */
  readonly port?: number;
  /** Password of a new cluster. Without one, anybody can connect. */
  readonly password?: string;
  /** True to disable durability, for a temporary cluster. */
  readonly throwaway?: boolean;
  /** Additional server settings, `name=value`. They override those that this module sets. */
  readonly settings?: readonly string[];
  readonly onLog?: (text: string) => void;
}

const starts = 3;
const startPauseMs = 300;
/**
 * Timeout of the fast shutdown. After this time the server is killed; at its next start it recovers from its WAL.
 */
const fastShutdownMs = 2_500;

export async function startLocalPostgres(options: LocalPostgresOptions): Promise<LocalPostgres> {
  const binaries = await findBinaries();
  await ensureCluster(binaries, options.folder, options.password);
  const { server, port } = await startServer(binaries.postgres, options, starts);
  const ended = new Promise<string>((resolve) =>
    server.once("exit", (code, signal) => resolve(signal ?? `code ${code}`)),
  );
  const entry = options.password === undefined ? clusterUser : `${clusterUser}:${options.password}`;
  const urlOf = (database: string) => `postgres://${entry}@127.0.0.1:${port}/${database}`;
  const stop = () => stopServer(server, ended);
  return { url: urlOf(clusterUser), port, urlOf, ended, stop };
}

interface StartedServer {
  readonly server: ChildProcess;
  readonly port: number;
}

/** Errors that a retry can solve: the port was just taken, or an earlier server is still ending. */
const temporaryErrors = /Address already in use|shared memory block .* still in use/;

async function startServer(
  binary: string,
  options: LocalPostgresOptions,
  tries: number,
): Promise<StartedServer> {
  const port = options.port ?? (await findFreePort());
  const command = serverCommand(binary, options.folder);
  const { program, leading } = wrapWithStarterPipe(command);
  const server = spawn(program, [...leading, ...serverArguments(options, port)], {
    // File descriptor 3 is the pipe by which the server notices the end of this process.
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    // PostgreSQL has its own process group, so Ctrl-C does not end it before the processes that use it.
    detached: true,
  });
  closeStarterPipeOnExit(server);
  try {
    await untilReady(server, options.onLog ?? (() => undefined));
    return { server, port };
  } catch (error) {
    if (tries <= 1 || !temporaryErrors.test(String(error))) throw error;
    await sleep(startPauseMs);
    return startServer(binary, options, tries - 1);
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
    ...(options.settings ?? []),
  ];
  return ["-D", options.folder, "-p", String(port), ...settings.flatMap((line) => ["-c", line])];
}

/** Resolves when the server accepts connections. Rejects with its output if it ends first. */
function untilReady(server: ChildProcess, onLog: (text: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    server.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-4000);
      onLog(text);
      if (said.includes("database system is ready to accept")) resolve();
    });
    server.once("error", reject);
    // `close` comes after all output. `exit` may come before.
    server.once("close", (code) =>
      reject(new LaunchError(`PostgreSQL ended with code ${code} while starting:\n${said}`)),
    );
  });
}

async function stopServer(server: ChildProcess, ended: Promise<string>): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  // SIGINT is PostgreSQL's fast shutdown: it ends sessions and loses nothing.
  server.kill("SIGINT");
  const cutOff = setTimeout(() => server.kill("SIGQUIT"), fastShutdownMs);
  await ended;
  clearTimeout(cutOff);
}
