import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

import { listenInPlaceOf } from "./listen-in-place.ts";
import { Frames, messageOf, readStartup, refusal, writeStartup } from "./wire.ts";

/** A transaction pooler in front of a database, as PgBouncer is with `pool_mode = transaction`. */
export interface TransactionPooler {
  /** The database's URL through it. */
  readonly url: string;
  /** What it was asked for that no such pooler gives: each in words, once. */
  readonly violations: readonly string[];
  stop(): Promise<void>;
}

interface PoolerOptions {
  /** Connections to the server, which all clients share in turn. */
  readonly serverConnections?: number;
}

/** One connection to the server, and the client that has it until its transaction ends. */
interface Far {
  readonly socket: Socket;
  readonly frames: Frames;
  client?: Near | undefined;
}

/** One client, and what it has said that no server connection has heard. */
interface Near {
  readonly socket: Socket;
  far?: Far | undefined;
  said: Buffer[];
  /** Answers that are to come: one for each Query and Sync. */
  unanswered: number;
}

/** What PgBouncer takes from a client that connects, and refuses all else. */
const taken =
  /^(user|database|application_name|client_encoding|datestyle|timezone|standard_conforming_strings)$/i;

/** Statements that last longer than a transaction, so that another client's connection has them. */
const sessionLevel =
  /^\s*(set\s+(?!local\b|transaction\b)|reset\b|listen\b|unlisten\b|prepare\b|deallocate\b|discard\b|create\s+(local\s+)?temp)|pg_(try_)?advisory_lock(_shared)?\s*\(|set_config\([^)]*,\s*false\s*\)/i;

/** Hands a connection of few to a client for one transaction at a time, in rotation. */
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
  const client: Near = { socket, said: [], unanswered: 0 };
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
      const unknown = Object.keys(readStartup(startup)).find((name) => !taken.test(name));
      if (unknown) {
        socket.end(refusal(`unsupported startup parameter: ${unknown}`));
        return;
      }
      socket.write(pool.greeting);
    }
    for (const frame of frames.take()) hear(frame, client, pool, violations);
  });
}

function hear(frame: Buffer, client: Near, pool: Pool, violations: Set<string>): void {
  const { type, name, text } = messageOf(frame);
  if (type === "X") return pool.leave(client);
  if (name) violations.add(`named statement: ${name}`);
  for (const statement of text?.split(";") ?? []) {
    if (sessionLevel.test(statement)) violations.add(`session: ${statement.trim()}`);
  }
  if (type === "Q" || type === "S") client.unanswered += 1;
  client.said.push(frame);
  pool.serve(client);
}

class Pool {
  readonly sockets = new Set<Socket>();
  /** What the server said to the first connection, which every client is told too. */
  greeting = Buffer.alloc(0);
  readonly #url: URL;
  readonly #idle: Far[] = [];
  #waiting: Near[] = [];
  #isClosed = false;

  constructor(databaseUrl: string) {
    this.#url = new URL(databaseUrl);
  }

  /** Opens one more connection to the server. */
  async grow(): Promise<void> {
    const { hostname, port, username, pathname } = this.#url;
    const socket = connect(Number(port), hostname);
    this.sockets.add(socket);
    socket.on("error", () => undefined);
    const far: Far = { socket, frames: new Frames() };
    const { promise, resolve } = Promise.withResolvers<void>();
    const greeting: Buffer[] = [];
    let isReady = false;
    socket.on("data", (bytes) => {
      far.frames.add(bytes);
      for (const frame of far.frames.take()) {
        if (isReady) this.#answer(far, frame);
        else greeting.push(frame);
        if (messageOf(frame).type !== "Z" || isReady) continue;
        isReady = true;
        resolve();
      }
    });
    socket.write(writeStartup({ user: username, database: pathname.slice(1) }));
    await promise;
    this.greeting = Buffer.concat(greeting);
    this.#release(far);
  }

  /** Has the client's words heard, as soon as a connection is free. */
  serve(client: Near): void {
    client.far ??= this.#idle.shift();
    if (!client.far) {
      if (!this.#waiting.includes(client)) this.#waiting.push(client);
      return;
    }
    client.far.client = client;
    for (const frame of client.said) client.far.socket.write(frame);
    client.said = [];
  }

  /** A client that goes in the middle of a transaction takes the connection along. */
  leave(client: Near): void {
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

  /** What nobody asked for, such as a notification, reaches nobody once the transaction is over. */
  #answer(far: Far, frame: Buffer): void {
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

  #release(far: Far): void {
    this.#idle.push(far);
    const next = this.#waiting.shift();
    if (next) this.serve(next);
  }
}
