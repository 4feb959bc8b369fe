import { randomInt } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

import {
  buildCancelRequest,
  type Key,
  keyMessage,
  Frames,
  messageOf,
  readCancelRequest,
  readStartup,
  buildRefusalMessage,
  writeStartup,
} from "../http/wire.ts";
import { listenAsDatabase } from "../network/listen-in-place.ts";
import { acceptedParameters, findPoolerViolations } from "./pooled-sessions.ts";

/**
 * A transaction pooler in front of a database. It behaves like PgBouncer with `pool_mode =
 * transaction`.
 */
export interface TransactionPooler {
  /** The URL of the database through the pooler. */
  readonly url: string;
  /** Descriptions of statements that a transaction pooler does not support. Each occurs once. */
  readonly violations: readonly string[];
  stop(): Promise<void>;
}

interface PoolerOptions {
  /** The number of connections to the server that all clients share. */
  readonly serverConnections?: number;
}

/** A connection to the server. `client` is the client that uses it until its transaction ends. */
interface ServerConnection {
  readonly socket: Socket;
  readonly frames: Frames;
  key?: Key | undefined;
  client?: ClientConnection | undefined;
}

/** A client. `said` contains the messages that were not sent to the server yet. */
interface ClientConnection {
  readonly socket: Socket;
  far?: ServerConnection | undefined;
  said: Buffer[];
  /** The number of answers that the client waits for: one for each Query and Sync message. */
  unanswered: number;
  /** The key with which the client can cancel its statement. */
  readonly key: Key;
}

/**
 * Starts a pooler. It gives a client a connection to the server for one transaction, and then puts
 * the connection at the end of the queue.
 */
export async function startTransactionPooler(
  databaseUrl: string,
  { serverConnections = 3 }: PoolerOptions = {},
): Promise<TransactionPooler> {
  const violations = new Set<string>();
  const pool = new Pool(databaseUrl);
  for (let made = 0; made < serverConnections; made++) await pool.grow();
  const server = createServer((socket) => greet(socket, pool, violations));
  const url = await listenAsDatabase(databaseUrl, server);
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
        socket.end(buildRefusalMessage(`unsupported startup parameter: ${unknown}`));
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
  /** The messages with which the newest connection to the server began. Each client gets a copy. */
  #greeting: readonly Buffer[] = [];
  readonly #clients = new Set<ClientConnection>();
  readonly #url: URL;
  readonly #idle: ServerConnection[] = [];
  #waiting: ClientConnection[] = [];
  #isClosed = false;

  constructor(databaseUrl: string) {
    this.#url = new URL(databaseUrl);
  }

  /** Opens one more connection to the server. */
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

  /**
   * Sends a client the first messages of a connection. The client gets a cancel key of its own,
   * because its connection to the server changes.
   */
  greet(client: ClientConnection): void {
    this.#clients.add(client);
    for (const frame of this.#greeting) {
      client.socket.write(messageOf(frame).key ? keyMessage(client.key) : frame);
    }
  }

  /**
   * Cancels the statement of the client with this key and then closes the connection of `asker`. As
   * in PgBouncer, the request is dropped if `asker` disconnects before the server is reached.
   */
  cancel({ processId, secret }: Key, asker: Socket): void {
    const named = [...this.#clients].find(({ key }) => key.processId === processId);
    // Wait for one turn of the event loop, so that an immediate disconnection of `asker` is
    // noticed.
    setImmediate(() => {
      const socket = this.#reachServer();
      asker.once("close", () => socket.destroy());
      socket.once("close", () => asker.destroy());
      socket.once("connect", () => {
        const key = named?.key.secret === secret ? named.far?.key : undefined;
        if (key && !asker.readableEnded) socket.write(buildCancelRequest(key));
        else socket.destroy();
      });
      socket.resume();
    });
  }

  /** Sends the messages of the client as soon as a connection to the server is free. */
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

  /**
   * Removes a client. If it leaves inside a transaction, its connection to the server is closed.
   */
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

  /**
   * Passes a message of the server to the client. A message without a client, such as a
   * notification, is dropped.
   */
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
