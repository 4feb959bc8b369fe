import { QueryTypes } from "sequelize";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { createServerCloser } from "../../shared/ops/close-server.ts";
import { createReadinessChecks } from "../../shared/ops/health.ts";
import { startInternalServer } from "../../shared/ops/internal-server.ts";
import { signIn, type SignedIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { DatabaseServer } from "../support/database/database-server.ts";
import { requestUrl, callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { openStream } from "../support/http/event-stream.ts";
import { startMuteProxy } from "../support/network/mute-proxy.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let ground: DatabaseServer;
let server: TestServer;
let admin: SignedIn;

beforeAll(async () => {
  ground = await DatabaseServer.start({ throwaway: true });
  server = await startOn(await ground.createDatabase("away"));
  admin = await signIn(server, { role: "admin" });
});
afterAll(async () => {
  await server.stop();
  await ground.stop();
});

const startOn = (url: string, environment: NodeJS.ProcessEnv = {}): Promise<TestServer> =>
  startTestServer({
    database: { url, drop: () => Promise.resolve() },
    environment,
    // Do not poll for events, because polls open connections too.
    streams: { pollMs: 3_600_000 },
  });

const unavailable = [503, { error: "The database cannot be used at present" }];
const markets = "GET /public/shard/market?limit=1";
const settings = "PUT /admin/settings";

/**
 * Sends a request that is refused.
 * @returns its status, its body, its error code and Retry-After
 */
async function refusalOf(route: string, body?: object): Promise<unknown[]> {
  const options = { headers: admin.headers, mayFail: true, ...(body && { body }) };
  const answer = await callRoute(server, route, options);
  const { headers } = answer;
  return [statusAndBodyOf(answer), headers.get("x-error-code"), headers.get("retry-after")];
}

const refusal = [unavailable, "database_unavailable", "5"];

const isKnown = (): boolean => server.context.database.trouble !== undefined;
const untilKnown = () => waitUntil("the process knows that it is away", isKnown);
const untilBack = () => waitUntil("the process knows that it is back", () => !isKnown());
const answersAgain = async () => {
  await untilBack();
  const answers = [
    await callRoute(server, markets),
    await callRoute(server, "GET /auth/me", admin),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
};

/** Follows a stream until the server ends it. @returns the blocks */
async function streamOf(path: string, headers: Readonly<Record<string, string>> = {}) {
  const client = await openStream(`${server.url}/api/v1${path}`, { headers });
  await client.ended;
  return client.blocks;
}

const byeAlone = [{ event: "bye", retry: expect.any(Number), data: { reason: "unavailable" } }];

describe("during a known database outage", () => {
  it("every request that needs the database is answered 503 with Retry-After and opens no connection", async () => {
    let tried = 0;
    server.context.sequelize.addHook("beforeConnect", "count", () => void (tried += 1));
    await ground.whileAway(async () => {
      await untilKnown();
      tried = 0;
      const refusals = [
        await refusalOf(markets),
        await refusalOf("GET /auth/me"),
        await refusalOf("POST /auth/login", { username: "somebody", password: "whatever" }),
        await refusalOf(settings, {}),
      ];
      expect(refusals).toEqual([refusal, refusal, refusal, refusal]);
      expect(tried).toBe(0);
    });
    server.context.sequelize.removeHook("beforeConnect", "count");
    await answersAgain();
  });

  it("the API description, unknown paths, liveness and metrics are answered as usual", async () => {
    const internal = await startInternalServer({
      process: "web",
      host: "127.0.0.1",
      port: 0,
      registry: server.registry,
      readiness: createReadinessChecks(server.context, () => "working"),
    });
    const { port } = internal.address() as { port: number };
    const statusOf = async (path: string) =>
      (await fetch(`http://127.0.0.1:${port}/internal/${path}`)).status;
    // The first request loads modules, which blocks the process, so send one before the test.
    await statusOf("health?probe=live");
    await ground.whileAway(async () => {
      await untilKnown();
      expect((await requestUrl(`${server.url}/api/docs.json`)).status).toBe(200);
      expect(
        statusAndBodyOf(await callRoute(server, "GET /nothing/here", { mayFail: true })),
      ).toEqual([404, { error: "Not found" }]);
      expect([
        await statusOf("health?probe=live"),
        await statusOf("health?probe=ready"),
        await statusOf("metrics"),
      ]).toEqual([200, 503, 200]);
    });
    await answersAgain();
    expect(await statusOf("health?probe=ready")).toBe(200);
    await createServerCloser(internal)();
  });

  it("an event stream ends with a bye event", async () => {
    await ground.whileAway(async () => {
      await untilKnown();
      expect([
        await streamOf("/public/shard/stream"),
        await streamOf("/admin/shardlink/stream", admin.headers),
        await streamOf("/admin/events/stream", admin.headers),
      ]).toEqual([byeAlone, byeAlone, byeAlone]);
    });
    await answersAgain();
  });
});

describe("a read-only database", () => {
  const setReadOnly = async (value: "on" | "off") => {
    await ground.query("postgres", `alter system set default_transaction_read_only = ${value}`);
    await ground.query("postgres", "select pg_reload_conf()");
  };

  it("counts as unavailable once it rejects a write", async () => {
    await setReadOnly("on");
    const written = () => refusalOf("POST /auth/login", { username: "nobody", password: "wrong" });
    await waitUntil(
      "a write is refused",
      async () => JSON.stringify(await written()) === JSON.stringify(refusal),
    );
    await untilKnown();
    expect(server.context.database.trouble).toBe("the database server is read-only");
    expect(await refusalOf(markets)).toEqual(refusal);
    await setReadOnly("off");
    await answersAgain();
  });
});

describe("a request whose connection is lost during a statement", () => {
  /**
   * Lets a request wait for a locked table, and then calls `happens`. The holder of the lock is paused: a
   * stopping server ends sessions in any order, and must not release the lock first.
   * @returns the answer to the request
   */
  async function interrupted(happens: () => Promise<unknown>): Promise<unknown> {
    const { sequelize } = server.context;
    const locked = Promise.withResolvers<number>();
    const over = Promise.withResolvers<void>();
    const holding = sequelize.transaction(async (transaction) => {
      await sequelize.query("lock users in access exclusive mode", { transaction });
      const [session] = await sequelize.query<{ pid: number }>("select pg_backend_pid() as pid", {
        transaction,
        type: QueryTypes.SELECT,
      });
      if (session) locked.resolve(session.pid);
      await over.promise;
    });
    const holder = await locked.promise;
    const asked = refusalOf("GET /auth/me");
    await waitUntil("it waits", async () => {
      const [row] = await ground.query<{ waiting: number }>(
        "away",
        `select count(*)::integer as waiting from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row?.waiting === 1;
    });
    process.kill(holder, "SIGSTOP");
    const happening = happens();
    const answer = await asked.finally(() => process.kill(holder, "SIGCONT"));
    await happening;
    over.resolve();
    // Sequelize warns about the lost connection on the console.
    const told = vi.spyOn(console, "warn").mockReturnValue();
    await Promise.allSettled([holding]);
    told.mockRestore();
    return answer;
  }

  it("is answered 503 if the server ends its session, and the next request succeeds", async () => {
    const cut = () =>
      ground.query(
        "postgres",
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = 'away' and wait_event_type = 'Lock'`,
      );
    expect(await interrupted(cut)).toEqual(refusal);
    await answersAgain();
  });

  it("is answered 503 if the server stops", async () => {
    expect(await interrupted(() => ground.restart())).toEqual(refusal);
    await answersAgain();
  });
});

describe("a database that stops responding", () => {
  it("is detected even if no connection is closed, and is used again over new connections", async () => {
    const proxy = await startMuteProxy(await ground.createDatabase("silent"));
    const own = await startOn(proxy.url, { DATABASE_TIMEOUT: "2s" });
    const get = async () => statusAndBodyOf(await callRoute(own, markets, { mayFail: true }));
    expect((await get())[0]).toBe(200);
    proxy.muteAll();
    expect(await get()).toEqual(unavailable);
    await waitUntil("it is known", () => own.context.database.trouble !== undefined);
    expect(await Promise.all([get(), get(), get()])).toEqual([
      unavailable,
      unavailable,
      unavailable,
    ]);
    proxy.unmute();
    await waitUntil("it is back", () => own.context.database.trouble === undefined);
    // Connections that the proxy silenced may still be in the pool, and requests that get them fail.
    await waitUntil("no connection of the silence is left", () => proxy.countSilent() === 0);
    expect((await Promise.all([get(), get(), get()])).map(([status]) => status)).toEqual([
      200, 200, 200,
    ]);
    await own.stop();
    await proxy.stop();
  });
});
