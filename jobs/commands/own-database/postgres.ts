import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

import { LaunchFault } from "../launch/launch-fault.ts";
import { freePort } from "../launch/ports.ts";
import { clusterUser, ensureCluster, findBinaries, serverCommand } from "./cluster.ts";
import { closeStarterPipeAfter, endingWithItsStarter } from "./starter-pipe.ts";

export interface LocalPostgres {
  /** Connection URL of the database `guildhall`. */
  readonly url: string;
  readonly port: number;
  /** URL of another database of the same server. */
  urlOf(database: string): string;
  /** Settles when the server is gone, whoever ended it, with how it went. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export interface LocalPostgresOptions {
  /** Folder of the cluster; made on first use. */
  readonly folder: string;
  /** Port on 127.0.0.1; a free one is taken when absent. */
  readonly port?: number;
  /** The cluster is made with this password and asks for it; without one it lets anybody in. */
  readonly password?: string;
  /** Settings for a cluster that is thrown away: nothing waits for the disk. */
  readonly throwaway?: boolean;
  /** Further server settings, `name=value`; they win over those above. */
  readonly settings?: readonly string[];
  readonly onLog?: (text: string) => void;
}

const starts = 3;
const startPauseMs = 300;
/** After this much of its fast shutdown the server is cut off; its log makes good for that. */
const fastShutdownMs = 2_500;

/** Starts the PostgreSQL that came with the packages, on loopback, as this machine's own. */
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

/** What a server may meet that is gone a moment later: a port just taken, a predecessor's end. */
const passing = /Address already in use|shared memory block .* still in use/;

async function startServer(
  binary: string,
  options: LocalPostgresOptions,
  tries: number,
): Promise<StartedServer> {
  const port = options.port ?? (await freePort());
  const command = serverCommand(binary, options.folder);
  const { program, leading } = endingWithItsStarter(command);
  const server = spawn(program, [...leading, ...serverArguments(options, port)], {
    // The last one is the starter's pipe.
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    // Its own group, so that Ctrl-C reaches the processes that use it before it ends.
    detached: true,
  });
  closeStarterPipeAfter(server);
  try {
    await untilReady(server, options.onLog ?? (() => undefined));
    return { server, port };
  } catch (error) {
    if (tries <= 1 || !passing.test(String(error))) throw error;
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

/** Resolves when the server takes connections; rejects with its own words when it ends before. */
function untilReady(server: ChildProcess, onLog: (text: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    server.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-4000);
      onLog(text);
      if (said.includes("database system is ready to accept")) resolve();
    });
    server.once("error", reject);
    // `close` comes after the last of its words, `exit` may come before.
    server.once("close", (code) =>
      reject(new LaunchFault(`PostgreSQL ended with code ${code} while starting:\n${said}`)),
    );
  });
}

async function stopServer(server: ChildProcess, ended: Promise<string>): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  // SIGINT is PostgreSQL's fast shutdown: sessions are cut, nothing is lost.
  server.kill("SIGINT");
  const cutOff = setTimeout(() => server.kill("SIGQUIT"), fastShutdownMs);
  await ended;
  clearTimeout(cutOff);
}
