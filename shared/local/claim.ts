import { mkdirSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import path from "node:path";

import { LaunchFault } from "./launch-fault.ts";

/** The longest path of a local socket that every system takes. */
const longestSocketPath = 100;

/**
 * Makes this process the only one that runs a data folder, until it ends or releases it.
 * A socket tells the truth where a file with a process id cannot: it dies with its process.
 * @returns what releases the folder
 * @throws {LaunchFault} when another process runs it
 */
export async function claimFolder(folder: string): Promise<() => Promise<void>> {
  mkdirSync(folder, { recursive: true });
  const socket = socketOf(folder);
  const holder = await askHolder(socket);
  if (holder !== undefined) {
    throw new LaunchFault(
      `${folder} is in use by process ${holder}: end that one, or set DATA_FOLDER to another folder`,
    );
  }
  // What a killed process left behind; nothing answers there any more.
  rmSync(socket, { force: true });
  const server = await listen(socket);
  return () => new Promise((resolve) => server.close(() => resolve()));
}

function socketOf(folder: string): string {
  const absolute = path.join(folder, "in-use.sock");
  const relative = path.relative(process.cwd(), absolute);
  const socket = relative.length < absolute.length ? relative : absolute;
  if (socket.length <= longestSocketPath) return socket;
  throw new LaunchFault(`${folder} is too long a path: set DATA_FOLDER to a shorter one`);
}

/** The process id of whoever runs the folder, or undefined when nobody does. */
function askHolder(socket: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let answer = "";
    const connection = connect(socket);
    connection.setEncoding("utf8");
    connection.on("data", (text: string) => (answer += text));
    connection.on("end", () => resolve(answer));
    connection.on("error", () => resolve(undefined));
  });
}

async function listen(socket: string): Promise<Server> {
  const server = createServer((connection) => {
    connection.on("error", () => undefined);
    connection.end(String(process.pid));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) =>
      reject(new LaunchFault(`${socket} cannot be made: ${cause.message}`, { cause })),
    );
    server.listen(socket, resolve);
  });
  return server.unref();
}
