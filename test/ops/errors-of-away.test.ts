import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

import { DatabaseError, Pool } from "pg";
import {
  ConnectionError as RefusedConnection,
  DatabaseError as StatementError,
  UniqueConstraintError,
} from "sequelize";
import { describe, expect, it } from "vitest";

import { loadConfig } from "../../shared/platform/config/config.ts";
import { createClientClass } from "../../shared/platform/db/connection/client.ts";
import { createConnectionPool } from "../../shared/platform/db/connection/connection.ts";
import { isDatabaseUnavailable } from "../../shared/platform/db/connection/database-unavailable.ts";
import { DatabaseWaiter } from "../../shared/platform/db/connection/start-wait.ts";
import { rows } from "../../shared/platform/db/rows.ts";
import { createLogger } from "../../shared/platform/log.ts";
import { takeFreePort } from "../support/network/ports.ts";
import { testEnvironment } from "../support/service/server.ts";

/** Returns an error as the driver throws it when the server refuses a connection. */
const refusedWith = (code: string): DatabaseError =>
  Object.assign(new DatabaseError("refused", 1, "error"), { code });

const away = "57P01 57P02 57P03 57P05 53300 25006 25P03 57014 55P03 08000 08003 08006 08P01".split(
  " ",
);
const refusals = "23505 23503 22P02 42P01 40001 40P01 28P01 XX000".split(" ");

describe("an error that PostgreSQL reports", () => {
  it.each(away)("means that the database is unavailable if its code is %s", (code) => {
    const said = refusedWith(code);
    expect([said, new StatementError(said as never)].map(isDatabaseUnavailable)).toEqual([
      true,
      true,
    ]);
  });

  it.each(refusals)("does not mean that the database is unavailable if its code is %s", (code) => {
    const said = refusedWith(code);
    expect([said, new StatementError(said as never)].map(isDatabaseUnavailable)).toEqual([
      false,
      false,
    ]);
    expect(isDatabaseUnavailable(new UniqueConstraintError({ parent: said as never }))).toBe(false);
  });
});

const tooMany = "sorry, too many clients already";

/** The messages of PgBouncer releases when no connection is free. */
const wordsOfFull = [
  tooMany,
  "no more connections allowed (max_client_conn)",
  "client connections exceeded (max_db_client_connections)",
  "client connections exceeded (max_user_client_connections)",
  `server login has been failing, cached error: ${tooMany} (server_login_retry)`,
];

/** The messages of PgBouncer when it cannot use the database server or is itself shutting down. */
const wordsOfAway = [
  "query_wait_timeout",
  "server login has been failing, try again later (server_login_retry)",
  "server login has been failing, cached error: the database system is starting up (server_login_retry)",
  "client_login_timeout (server down)",
  "pooler is shutting down",
  "server conn crashed?",
  "server_login_retry",
];

describe("an error that a pooler reports", () => {
  const said = (words: string) =>
    Object.assign(new DatabaseError(words, 1, "error"), { code: "08P01", severity: "FATAL" });

  /**
   * Runs a step of a process start whose first two attempts fail with this message. The process is configured
   * not to wait for an unreachable database.
   * @returns the result of the step
   */
  const start = async (words: string): Promise<string> => {
    const log = createLogger("test", "silent");
    let tries = 0;
    return new DatabaseWaiter({ log, forMs: 0, connections: 13 }).for(async () => {
      tries += 1;
      if (tries > 2) return "begun";
      throw tries === 1 ? said(words) : new RefusedConnection(said(words));
    });
  };

  it.each(wordsOfFull)(
    "means that no connection is free, and a starting process waits: %j",
    async (words) => {
      expect(isDatabaseUnavailable(said(words))).toBe(true);
      expect(await start(words)).toBe("begun");
    },
  );

  it.each(wordsOfAway)(
    "means that the database is unavailable, and a process that may not wait fails to start: %j",
    async (words) => {
      expect(isDatabaseUnavailable(said(words))).toBe(true);
      await expect(start(words)).rejects.toThrow(words);
    },
  );
});

/** CATALOGUE of servers that stand in for a database. Each fails in another way. */
const servers = {
  "refuses connections": null,
  "resets connections": (socket: Socket) => socket.resetAndDestroy(),
  "closes connections at once": (socket: Socket) => socket.end(),
  "never answers": () => undefined,
  "resets connections after the greeting": (socket: Socket) =>
    socket.once("data", () =>
      socket.write(greeting, () => socket.once("data", () => socket.resetAndDestroy())),
    ),
  "closes connections after the greeting": (socket: Socket) =>
    socket.once("data", () =>
      socket.write(greeting, () => socket.once("data", () => socket.end())),
    ),
  "never answers after the greeting": (socket: Socket) =>
    socket.once("data", () => socket.write(greeting)),
} as const;

/** The bytes with which PostgreSQL accepts a connection and reports that it is ready. */
const greeting = Buffer.from("R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I", "latin1");

/** Starts one of these servers. @returns its address as a database URL */
async function standIn(name: keyof typeof servers) {
  const meet = servers[name];
  const open = new Set<Socket>();
  if (!meet) return { url: urlAt(await takeFreePort()), stop: () => undefined };
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    meet(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = () => {
    server.close();
    for (const socket of open) socket.destroy();
  };
  return { url: urlAt((server.address() as AddressInfo).port), stop };
}

const urlAt = (port: number): string => `postgres://nobody@127.0.0.1:${port}/nothing`;

const patienceMs = 200;
const Own = createClientClass({ statementMs: patienceMs, isPooled: true });

/** The ways in which processes use the database. Each returns the error that it gets. */
const ways = {
  "a separate connection": async (url: string) => {
    const client = new Own({ connectionString: url, connectionTimeoutMillis: patienceMs });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query("select 1");
    } finally {
      await client.end();
    }
  },
  "the queue's pool": async (url: string) => {
    const options = { connectionString: url, connectionTimeoutMillis: patienceMs, Client: Own };
    const pool = new Pool(options);
    pool.on("error", () => undefined);
    try {
      await pool.query("select 1");
    } finally {
      await pool.end();
    }
  },
  "the pool of requests": async (url: string) => {
    const environment = { ...testEnvironment(url), DATABASE_TIMEOUT: "1s" };
    const pool = createConnectionPool(loadConfig(environment), "test");
    try {
      await rows(pool, "select 1");
    } finally {
      await pool.close();
    }
  },
} as const;

const cases = Object.keys(ways).flatMap((way) =>
  Object.keys(servers).map((server) => [way, server] as const),
) as [keyof typeof ways, keyof typeof servers][];

describe("a database query", () => {
  it.each(cases)(
    "fails with an error that means an unavailable database: over %s to a server that %s",
    async (way, name) => {
      const server = await standIn(name);
      const error: unknown = await ways[way](server.url).catch((thrown: unknown) => thrown);
      server.stop();
      expect({ error, isAway: isDatabaseUnavailable(error) }).toEqual({ error, isAway: true });
    },
  );
});

it("a pool that has no free connection in time reports an unavailable database", async () => {
  const server = await standIn("never answers after the greeting");
  const options = { connectionString: server.url, connectionTimeoutMillis: patienceMs, max: 1 };
  const pool = new Pool(options);
  const first = await pool.connect();
  const error: unknown = await pool.connect().catch((thrown: unknown) => thrown);
  expect({ error, isAway: isDatabaseUnavailable(error) }).toEqual({ error, isAway: true });
  first.release(true);
  server.stop();
});

it("a refused connection to another service does not mean an unavailable database", async () => {
  const error: unknown = await fetch(`http://127.0.0.1:${await takeFreePort()}/`).catch(
    (thrown: unknown) => thrown,
  );
  const { cause } = error as Error;
  expect([(cause as NodeJS.ErrnoException).code, isDatabaseUnavailable(cause)]).toEqual([
    "ECONNREFUSED",
    false,
  ]);
});
