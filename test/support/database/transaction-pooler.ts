import { randomInt } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

import {
  cancelRequest,
  type Key,
  keyMessage,
  Frames,
  messageOf,
  readCancelRequest,
  readStartup,
  refusal,
  writeStartup,
} from "../http/wire.ts";
import { listenInPlaceOf } from "../network/listen-in-place.ts";
import { acceptedParameters, findPoolerViolations } from "./pooled-sessions.ts";

/** A transaction pooler in front of a database, like PgBouncer with `pool_mode = transaction`. */
export interface TransactionPooler {
  /** The database's URL through the pooler. */
  readonly url: string;
  /** Uses of features that a transaction pooler does not support, each listed once. */
  readonly violations: readonly string[];
  stop(): Promise<void>;
}

interface PoolerOptions {
  /** The number of server connections that all clients share. */
  readonly serverConnections?: number;
}

/** A server connection and the client that uses it until the end of its transaction. */
interface ServerConnection {
  readonly socket: Socket;
  readonly frames: Frames;
  key?: Key | undefined;
  client?: ClientConnection | undefined;
}

/** A client and its messages that no server connection has received yet. */
interface ClientConnection {
  readonly socket: Socket;
  far?: ServerConnection | undefined;
  said: Buffer[];
  /** The number of expected answers: one for each Query and Sync. */
  unanswered: number;
  /** The key by which the client requests cancellation. */
  readonly key: Key;
}

/** Starts a pooler that assigns server connections to clients for one transaction each, in rotation. */
export async function startTransactionPooler(
  databaseUrl: string,
  { serverConnections = 3 }: PoolerOptions = {},
): Promise<TransactionPooler> {
  const violations = new Set<string>();
  const pool = new Pool(databaseUrl);
  for (let made = 0; made < serverConnections; made++) await pool.grow();
  const server = createServer((socket) => greet(socket, pool, violations));
  const url = await listenInPlaceOf(databaseUrl, server);
  return {
    url,
    get violations() {
      return [...violations];
    },
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      pool.close();
      await closed;
    },
  };
}

function greet(socket: Socket, pool: Pool, violations: Set<string>): void {
  const client: ClientConnection = { socket, said: [], unanswered: 0, key: newKey() };
  const frames = new Frames();
  let isGreeted = false;
  pool.sockets.add(socket);
  socket.on("error", () => undefined);
  socket.on("close", () => {
    pool.sockets.delete(socket);
    pool.leave(client);
  });
  socket.on("data", (bytes) => {
    frames.add(bytes);
    if (!isGreeted) {
      const startup = frames.takeStartup();
      if (!startup) return;
      isGreeted = true;
      const asked = readCancelRequest(startup);
      if (asked) {
        pool.cancel(asked, socket);
        return;
      }
      const unknown = Object.keys(readStartup(startup)).find(
        (name) => !acceptedParameters.test(name),
      );
      if (unknown) {
        socket.end(refusal(`unsupported startup parameter: ${unknown}`));
        return;
      }
      pool.greet(client);
    }
    for (const frame of frames.take()) hear(frame, client, pool, violations);
  });
}

let keysGiven = 0;
const newKey = (): Key => ({ processId: ++keysGiven, secret: randomInt(2 ** 31) });

function hear(frame: Buffer, client: ClientConnection, pool: Pool, violations: Set<string>): void {
  const message = messageOf(frame);
  const { type } = message;
  if (type === "X") return pool.leave(client);
  for (const violation of findPoolerViolations(message)) violations.add(violation);
  if (type === "Q" || type === "S") client.unanswered += 1;
  client.said.push(frame);
  pool.serve(client);
}

class Pool {
  readonly sockets = new Set<Socket>();
  /** The greeting of the newest server connection. Every client gets a copy. */
  #greeting: readonly Buffer[] = [];
  readonly #clients = new Set<ClientConnection>();
  readonly #url: URL;
  readonly #idle: ServerConnection[] = [];
  #waiting: ClientConnection[] = [];
  #isClosed = false;

  constructor(databaseUrl: string) {
    this.#url = new URL(databaseUrl);
  }

  /** Opens another server connection. */
  async grow(): Promise<void> {
    const { username, pathname } = this.#url;
    const socket = this.#reachServer();
    const far: ServerConnection = { socket, frames: new Frames() };
    const { promise, resolve } = Promise.withResolvers<void>();
    const greeting: Buffer[] = [];
    let isReady = false;
    socket.on("data", (bytes) => {
      far.frames.add(bytes);
      for (const frame of far.frames.take()) {
        if (isReady) this.#answer(far, frame);
        else greeting.push(frame);
        const { type, key } = messageOf(frame);
        far.key = key ?? far.key;
        if (type !== "Z" || isReady) continue;
        isReady = true;
        resolve();
      }
    });
    socket.write(writeStartup({ user: username, database: pathname.slice(1) }));
    await promise;
    this.#greeting = greeting;
    this.#release(far);
  }

  /** Sends a client the greeting with its own key, because the client's server connection changes. */
  greet(client: ClientConnection): void {
    this.#clients.add(client);
    for (const frame of this.#greeting) {
      client.socket.write(messageOf(frame).key ? keyMessage(client.key) : frame);
    }
  }

  /**
   * Cancels the statement of the client with that key and then closes the requester's connection. As in
   * PgBouncer, the request is dropped if its sender disconnects before the server is reached.
   */
  cancel({ processId, secret }: Key, asker: Socket): void {
    const named = [...this.#clients].find(({ key }) => key.processId === processId);
    // Lets the disconnection of a requester that leaves immediately arrive first.
    setImmediate(() => {
      const socket = this.#reachServer();
      asker.once("close", () => socket.destroy());
      socket.once("close", () => asker.destroy());
      socket.once("connect", () => {
        const key = named?.key.secret === secret ? named.far?.key : undefined;
        if (key && !asker.readableEnded) socket.write(cancelRequest(key));
        else socket.destroy();
      });
      socket.resume();
    });
  }

  /** Sends the client's messages as soon as a connection is free. */
  serve(client: ClientConnection): void {
    client.far ??= this.#idle.shift();
    if (!client.far) {
      if (!this.#waiting.includes(client)) this.#waiting.push(client);
      return;
    }
    client.far.client = client;
    for (const frame of client.said) client.far.socket.write(frame);
    client.said = [];
  }

  /** Closes the server connection of a client that leaves inside a transaction. */
  leave(client: ClientConnection): void {
    this.#clients.delete(client);
    this.#waiting = this.#waiting.filter((other) => other !== client);
    const { far } = client;
    if (!far) return;
    client.far = undefined;
    far.client = undefined;
    this.sockets.delete(far.socket);
    far.socket.destroy();
    if (!this.#isClosed) void this.grow();
  }

  close(): void {
    this.#isClosed = true;
    for (const socket of this.sockets) socket.destroy();
  }

  #reachServer(): Socket {
    const { hostname, port } = this.#url;
    const socket = connect(Number(port), hostname);
    this.sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => this.sockets.delete(socket));
    return socket;
  }

  /** Drops unsolicited messages, such as notifications, outside of a transaction. */
  #answer(far: ServerConnection, frame: Buffer): void {
    const { client } = far;
    if (!client) return;
    client.socket.write(frame);
    const { type, status } = messageOf(frame);
    if (type !== "Z") return;
    client.unanswered -= 1;
    if (status !== "I" || client.unanswered > 0) return;
    client.far = undefined;
    far.client = undefined;
    this.#release(far);
  }

  #release(far: ServerConnection): void {
    this.#idle.push(far);
    const next = this.#waiting.shift();
    if (next) this.serve(next);
  }
}
