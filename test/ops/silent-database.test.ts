import { hostname } from "node:os";

import { pino } from "pino";
import { QueryTypes } from "sequelize";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { rows } from "../../shared/platform/db/rows.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { acquireSourceOwnership } from "../../shared/platform/ingest/ownership.ts";
import { createTestUser } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { ingestSourceOf } from "../support/factories/shard.ts";
import { callRoute } from "../support/http/call.ts";
import { type MuteProxy, startMuteProxy } from "../support/network/mute-proxy.ts";
import { startProgram } from "../support/service/processes.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
/** The result of the ingest test. That test takes long, so it runs in parallel with the other tests. */
let alone: ReturnType<typeof loseAndFindAgain>;
beforeAll(async () => {
  server = await startTestServer();
  alone = loseAndFindAgain();
  // Ignore a failure here: the ingest test reports it.
  alone.catch(() => undefined);
});
afterAll(async () => {
  await Promise.allSettled([alone]);
  await server.stop();
});

/**
 * Runs an ingest process on a database of its own. Makes its connections silent once it owns the
 * shard.
 */
async function loseAndFindAgain() {
  const own = await startTestServer();
  const proxy = await startMuteProxy(own.database.url);
  const ingest = await startProgram("ingest", {
    database: { ...own.database, url: proxy.url },
    environment: { DATABASE_TIMEOUT: "2s" },
  });
  try {
    const ours = `${hostname()}:${ingest.pid}`;
    const source = () => ingestSourceOf(own);
    await waitUntil("it owns the source", async () => (await source()).owner === ours);
    const { fence } = await source();
    proxy.mute();
    await waitUntil("it owns it anew", async () => (await source()).fence > fence);
    const { owner, fence: risen } = await source();
    return { isOwner: owner === ours, risenBy: risen - fence, deaths: ingest.deaths };
  } finally {
    await ingest.stop();
    await proxy.stop();
    await own.stop();
  }
}

describe("over a connection that no longer answers", () => {
  it("the heartbeat of a process that owns an event source detects the lost connection", async () => {
    const proxy = await startMuteProxy(server.database.url);
    const { log } = server.context;
    const signal = new AbortController().signal;
    const options = { url: proxy.url, source: "shard", log, signal, patienceMs: 3_000 };
    const owner = await acquireSourceOwnership(options);
    const lost = new Promise((resolve) => {
      owner.lost.addEventListener("abort", () => resolve(owner.lost.reason));
    });
    proxy.mute();
    expect(await lost).toMatchObject({ message: "PostgreSQL did not answer for 3000 ms" });
    await expect(owner.run((sql) => sql.query("select 1"))).rejects.toThrow(/connection/);
    await owner.release();
    await proxy.stop();
  });

  it("a standby process stops waiting for ownership of an event source", async () => {
    const owner = await acquireSourceOwnership({ ...standing(), url: server.database.url });
    const proxy = await startMuteProxy(server.database.url);
    // Wait until the standby is connected: a connection that falls silent while it is created fails
    // with another message.
    const begun = Promise.withResolvers<void>();
    const tell = (line: string) => line.includes("standing by") && begun.resolve();
    const log = pino({ level: "info" }, { write: tell });
    const waiting = acquireSourceOwnership({
      ...standing(),
      log,
      url: proxy.url,
      patienceMs: 3_000,
    });
    await begun.promise;
    proxy.mute();
    await expect(waiting).rejects.toThrow("PostgreSQL did not answer for 3000 ms");
    await owner.release();
    await proxy.stop();
  });

  it.each([["GET /public/shard/market?limit=1"], ["POST /auth/login"]])(
    "%s is answered 503 with Retry-After, and is answered 200 once the database is back",
    async (route) => {
      const proxy = await startMuteProxy(server.database.url);
      const api = await startOn(proxy);
      const { username, password } = await createTestUser(server);
      const body = route.startsWith("POST") ? { username, password } : undefined;
      const answer = () => callRoute(api, route, { body, mayFail: true });
      const ask = async () => (await answer()).status;
      const askInVain = async () => {
        const { status, headers } = await answer();
        return [status, headers.get("x-error-code"), headers.get("retry-after")];
      };
      expect(await ask()).toBe(200);
      proxy.muteAll();
      expect(await Promise.all([askInVain(), askInVain(), askInVain()])).toEqual(
        Array.from({ length: 3 }, () => [503, "database_unavailable", "5"]),
      );
      proxy.unmute();
      await waitUntil("it is answered again", async () => (await ask()) === 200);
      // Connections that the proxy silenced may still be in the pool, and requests that get them fail.
      await waitUntil("no connection of the silence is left", () => proxy.countSilent() === 0);
      expect(await Promise.all([ask(), ask(), ask(), ask(), ask()])).toEqual(
        Array.from({ length: 5 }, () => 200),
      );
      await api.stop();
      await proxy.stop();
    },
  );

  it("an attempt to enqueue a job fails after the timeout", async () => {
    const proxy = await startMuteProxy(server.database.url);
    const api = await startOn(proxy);
    const { queue } = api.context;
    await queue.enqueue("shard.prune-events", {});
    proxy.mute();
    await expect(queue.enqueue("shard.prune-events", {})).rejects.toThrow(
      "PostgreSQL did not answer for 1000 ms",
    );
    expect(await queue.enqueue("shard.prune-events", {})).toBeNull();
    await api.stop();
    await proxy.stop();
  });

  it("a transaction fails with its connection, and the pool continues with other connections", async () => {
    const proxy = await startMuteProxy(server.database.url);
    // Opening two connections at once takes long on a busy machine, so use a longer timeout.
    const api = await startOn(proxy, "3s");
    const { sequelize } = api.context;
    // Wait until both transactions have begun: a connection that falls silent while it is created
    // fails with another message.
    const bothBegun = Promise.withResolvers<void>();
    let begun = 0;
    const stuck = [0, 1].map(() =>
      inTransaction(sequelize, async (transaction) => {
        await rows(transaction, "select 1");
        begun += 1;
        if (begun === 2) bothBegun.resolve(proxy.mute());
        await bothBegun.promise;
        await rows(transaction, "update settings set value = value");
      }),
    );
    // Sequelize warns about the lost connection on the console.
    const told = vi.spyOn(console, "warn").mockReturnValue();
    await expect(Promise.all(stuck)).rejects.toThrow("PostgreSQL did not answer for 3000 ms");
    await Promise.allSettled(stuck);
    told.mockRestore();
    expect(await sequelize.query("select 1 as one", { type: QueryTypes.SELECT })).toEqual([
      { one: 1 },
    ]);
    await api.stop();
    await proxy.stop();
  });

  it("a single ingest process reconnects and owns the source again", async () => {
    expect(await alone).toEqual({ isOwner: true, risenBy: 1, deaths: [] });
  });
});

/** Starts an API with short timeouts whose database connections go through the proxy. */
const startOn = ({ url }: MuteProxy, patience = "1s"): Promise<TestServer> =>
  startTestServer({
    database: server.database,
    environment: { DATABASE_URL: url, DATABASE_TIMEOUT: patience, DATABASE_POOL: "2" },
  });

const standing = () => {
  const { log } = server.context;
  return { source: "shard", log, signal: new AbortController().signal };
};
