import { setTimeout as sleep } from "node:timers/promises";

import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { defineRoute } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { rows } from "../../shared/platform/db/rows.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { type ApiAnswer, requestUrl, callRoute, retryAfter } from "../support/http/call.ts";
import { openStream } from "../support/http/event-stream.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let gatekeeper: Client;

const connections = 4;
const share = connections / 2;
const lockId = 4_711;

/** A route that keeps a database connection until the test releases an advisory lock. */
const heldRead = defineRoute({
  method: "get",
  path: "/api/v1/public/held",
  gate: "public",
  set: "additive",
  tag: "Site",
  summary: "A read that is held",
  answers: { 200: "Error" },
  handle: async (_input, { sequelize }) => {
    await rows(sequelize, "select pg_advisory_lock_shared($1), pg_advisory_unlock_shared($1)", [
      lockId,
    ]);
    return { error: "none" };
  },
});

beforeAll(async () => {
  server = await startTestServer({
    environment: { DATABASE_POOL: String(connections) },
    routes: [...routes, heldRead],
  });
  gatekeeper = new Client(server.database.url);
  await gatekeeper.connect();
});
afterAll(async () => {
  await gatekeeper.end();
  await server.stop();
});

const read = () => requestUrl(`${server.url}/api/v1/public/held`, { isUndescribed: true });

const countHeld = async (): Promise<number> => {
  const { rows: found } = await gatekeeper.query<{ held: number }>(
    "select count(*)::integer as held from pg_locks where locktype = 'advisory' and objid = $1 and not granted",
    [lockId],
  );
  return found[0]?.held ?? 0;
};

describe("anonymous reads that all wait for the database", () => {
  it("use at most half of the pool, and are answered 503 if they wait too long", async () => {
    const { headers } = await signIn(server);
    await gatekeeper.query("select pg_advisory_lock($1)", [lockId]);
    const early: ApiAnswer[] = [];
    const asked = Array.from({ length: 24 }, async () => {
      const answered = await read();
      early.push(answered);
      return answered;
    });
    await waitUntil("reads that are held", async () => (await countHeld()) === share);
    const mine = await callRoute(server, "GET /auth/me", { headers });
    const written = await callRoute(server, "POST /auth/logout", { headers });
    expect([mine.status, written.status]).toEqual([200, 200]);
    expect(await countHeld()).toBe(share);
    await waitUntil("refusals", () => early.length === 24 - share);
    for (const one of early) expect([one.status, retryAfter(one)]).toEqual([503, 1]);
    await gatekeeper.query("select pg_advisory_unlock($1)", [lockId]);
    const answered = await Promise.all(asked);
    expect(answered.filter(({ status }) => status === 200)).toHaveLength(share);
    expect((await read()).status).toBe(200);
  });
});

/** Runs `work` while anonymous reads use up their share of connections. */
async function whileShareIsHeld<T>(work: () => Promise<T>): Promise<T> {
  await gatekeeper.query("select pg_advisory_lock($1)", [lockId]);
  const held = Array.from({ length: share }, read);
  await waitUntil("reads that are held", async () => (await countHeld()) === share);
  try {
    return await work();
  } finally {
    await gatekeeper.query("select pg_advisory_unlock($1)", [lockId]);
    await Promise.all(held);
  }
}

/** Runs `work` while a table is locked. */
async function whileLocked<T>(table: string, work: () => Promise<T>): Promise<T> {
  await gatekeeper.query("begin");
  await gatekeeper.query(`lock table ${table} in access exclusive mode`);
  try {
    return await work();
  } finally {
    await gatekeeper.query("rollback");
  }
}

const countLocked = async (): Promise<number> => {
  const { rows: found } = await gatekeeper.query<{ locked: number }>(
    `select count(*)::integer as locked from pg_locks where locktype = 'relation' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return found[0]?.locked ?? 0;
};

/**
 * Reads the user's own data while 24 other requests wait for a locked table.
 * @returns the status of the read
 */
async function askWhileWaiting(
  table: string,
  send: (index: number) => Promise<ApiAnswer>,
  holding = share,
) {
  const { headers } = await signIn(server);
  const sent: Promise<ApiAnswer>[] = [];
  const status = await whileLocked(table, async () => {
    sent.push(...Array.from({ length: 24 }, (_, index) => send(index)));
    await waitUntil("requests that wait", async () => (await countLocked()) >= holding);
    return (await callRoute(server, "GET /auth/me", { headers })).status;
  });
  await Promise.all(sent);
  return status;
}

describe("the database connections that anonymous reads leave free", () => {
  it("serve a signed-in user while the visibility check of anonymous reads waits for the database", async () => {
    const send = (index: number) =>
      callRoute(server, `GET /public/survival/profiles?server=${index + 1}`);
    // A process computes one ranking at a time, so only one of these requests waits in the
    // database.
    const status = await askWhileWaiting("survival_visibility", send, 1);
    expect(status).toBe(200);
  });

  it("serve a signed-in user while invalid API tokens are looked up", async () => {
    const status = await askWhileWaiting("api_tokens", (index) => {
      const authorization = `Bearer ght_${String(index).padStart(43, "x")}`;
      return callRoute(server, "GET /public/posts", { headers: { authorization } });
    });
    expect(status).toBe(200);
  });

  it("serve a signed-in user's market search while an identical anonymous search waits for a connection", async () => {
    const { headers } = await signIn(server);
    const path = "GET /public/shard/market?q=katana";
    await whileShareIsHeld(async () => {
      const anonymous = callRoute(server, path);
      // After this pause the anonymous search has asked for its count and waits for a connection.
      await sleep(200);
      expect((await callRoute(server, path, { headers })).status).toBe(200);
      expect((await anonymous).status).toBe(503);
    });
  });
});

describe("invalid API tokens from one network", () => {
  it("are answered 503 once 128 lookups wait", async () => {
    const statuses: number[] = [];
    const sent: Promise<void>[] = [];
    await whileLocked("api_tokens", async () => {
      const send = async (index: number) => {
        const authorization = `Bearer ght_${String(index).padStart(43, "y")}`;
        const answered = await callRoute(server, "GET /auth/me", { headers: { authorization } });
        statuses.push(answered.status);
      };
      sent.push(...Array.from({ length: 140 }, (_, index) => send(index)));
      await waitUntil("refusals", () => statuses.length === 10);
    });
    await Promise.all(sent);
    expect(statuses.filter((status) => status === 503)).toHaveLength(10);
    expect(statuses.filter((status) => status === 401)).toHaveLength(130);
  });
});

describe("the reader of stored events for streams", () => {
  it("looks up an event for an anonymous stream while anonymous reads use their whole share of connections", async () => {
    await whileShareIsHeld(async () => {
      // This process does not know the id. Another process may have sent it, so this process must look the id up.
      const lastEventId = 1_000_000;
      const stream = await openStream(`${server.url}/api/v1/public/shard/stream`, { lastEventId });
      const told = await stream.waitFor(({ event }) => event === "reset" || event === "bye");
      expect(told).toMatchObject({ event: "reset", data: { reason: "unknown" } });
      stream.close();
    });
  });
});
