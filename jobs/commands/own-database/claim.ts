import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import path from "node:path";

import { LaunchError } from "../launch/launch-error.ts";

/** The longest path of a Unix socket that every system accepts. */
const longestSocketPath = 100;

/** How long to wait for an answer. A suspended process or another program may never answer. */
const answerWithinMs = 2_000;

/**
 * Makes this process the only user of a data folder, and returns a function that releases the folder. The process
 * listens on a socket in the folder: a socket closes with its process, while a lock file would remain.
 * @throws {LaunchError} if another process uses the folder
 */
export async function claimFolder(folder: string): Promise<() => Promise<void>> {
  mkdirSync(folder, { recursive: true });
  const socket = socketOf(folder);
  // Try to listen before asking the process that listens: only one process can listen, and the answer may be
  // outdated.
  const server = (await listen(socket)) ?? (await listenInstead(socket, folder));
  return () => new Promise((resolve) => server.close(() => resolve()));
}

function socketOf(folder: string): string {
  const absolute = path.join(folder, "in-use.sock");
  const relative = path.relative(process.cwd(), absolute);
  const socket = relative.length < absolute.length ? relative : absolute;
  if (socket.length <= longestSocketPath) return socket;
  throw new LaunchError(`The path ${folder} is too long: set DATA_FOLDER to a shorter one`);
}

/** Listens on the socket after removing one that a killed process left behind. */
async function listenInstead(socket: string, folder: string): Promise<Server> {
  const holder = (await describeHolder(socket)) ?? (await removeDeadSocket(socket));
  const server = holder === undefined ? await listen(socket) : undefined;
  if (server) return server;
  const who = holder ?? (await describeHolder(socket)) ?? unknown;
  throw new LaunchError(
    `${folder} is in use by ${who}: end that process, or set DATA_FOLDER to another folder`,
  );
}

/**
 * Removes the socket of a dead process, but not a newer one of a concurrent start.
 * @returns a description of the process that uses the folder, if any
 */
async function removeDeadSocket(socket: string): Promise<string | undefined> {
  const madeAt = timeOf(socket);
  const holder = await describeHolder(socket);
  if (holder === undefined && madeAt !== undefined) removeMarkedSocket(socket, madeAt);
  return holder;
}

/** Removes a dead socket. Concurrent starts try to create a marker file for it; only the first one succeeds. */
function removeMarkedSocket(socket: string, madeAt: bigint): void {
  const mark = `${socket}.${madeAt}`;
  try {
    writeFileSync(mark, "", { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return;
    throw error;
  }
  try {
    if (timeOf(socket) === madeAt) rmSync(socket);
  } finally {
    rmSync(mark);
  }
}

const timeOf = (file: string): bigint | undefined =>
  statSync(file, { bigint: true, throwIfNoEntry: false })?.mtimeNs;

const unknown = "a process that does not answer";

/** Returns a description of the process that uses the folder, or undefined. */
function describeHolder(socket: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let answer = "";
    const connection = connect(socket);
    connection.setEncoding("utf8");
    connection.setTimeout(answerWithinMs, () => {
      connection.destroy();
      resolve(unknown);
    });
    connection.on("data", (text: string) => (answer += text));
    connection.on("end", () => resolve(answer === "" ? unknown : `process ${answer}`));
    connection.on("error", ({ code }: NodeJS.ErrnoException) => {
      const isDead = code === "ECONNREFUSED" || code === "ENOENT";
      resolve(isDead ? undefined : unknown);
    });
  });
}

/** Listens on a socket. @returns undefined if its file exists */
async function listen(socket: string): Promise<Server | undefined> {
  const server = createServer((connection) => {
    connection.on("error", () => undefined);
    connection.end(String(process.pid));
  });
  const isListening = await new Promise<boolean>((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      if (cause.code === "EADDRINUSE") resolve(false);
      else {
        reject(
          new LaunchError(`The socket ${socket} cannot be created: ${cause.message}`, { cause }),
        );
      }
    });
    server.listen(socket, () => resolve(true));
  });
  return isListening ? server.unref() : undefined;
}
