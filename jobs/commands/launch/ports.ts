import { randomInt } from "node:crypto";
import { createServer } from "node:net";

import getPort from "get-port";

import { LaunchError } from "./launch-error.ts";

export interface RequiredPort {
  readonly port: number;
  readonly host: string;
  /** The environment variable that sets the port, for messages to the operator. */
  readonly variable: string;
}

/** The demo's page is reachable only from this machine. */
export const demoPageHost = "127.0.0.1";

/** Ports from 20,000 to 32,000 are below those that systems use for outgoing connections. */
const lowest = 20_000;
const highest = 32_000;
const tries = 100;
const highestOfAll = 65_535;

/** Returns a free loopback port from a range in which it likely stays free until a process restarts. */
export const findFreePort = (): Promise<number> =>
  getPort({
    host: "127.0.0.1",
    // The ports are random, so that two programs that start at the same moment choose different ones.
    port: Array.from({ length: tries }, () => randomInt(lowest, highest)),
  });

/** @throws {LaunchError} if the number is too high for a port */
export function requireValidPort({ port, variable }: RequiredPort): void {
  if (port <= highestOfAll) return;
  throw new LaunchError(`${port} is not a valid port: set ${variable} to a lower one`);
}

/** @throws {LaunchError} with the port and its variable if the port is in use */
export async function requireFreePort(wanted: RequiredPort): Promise<void> {
  try {
    await listenOnce(wanted.port, wanted.host);
  } catch (cause) {
    throw new LaunchError(reasonOf(cause, wanted), { cause });
  }
}

async function listenOnce(port: number, host: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  await new Promise((resolve) => server.close(resolve));
}

function reasonOf(cause: unknown, { port, host, variable }: RequiredPort): string {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") {
    return `Port ${port} is in use: end the program that uses it, or set ${variable} to another port`;
  }
  if (code === "EACCES") return `This user may not use port ${port}: set ${variable} above 1023`;
  return `Port ${port} of ${host} cannot be used (${code}): correct ${variable}`;
}
