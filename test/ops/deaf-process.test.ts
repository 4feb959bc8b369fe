import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { signIn, type SignedIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { openStream, type StreamClient } from "../support/http/event-stream.ts";
import { type MuteProxy, startMuteProxy } from "../support/network/mute-proxy.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { storeEvents } from "../support/shard/shard-events.ts";

/**
 * A process whose LISTEN connection goes through a proxy. The proxy can make that connection silent
 * while the pool still works.
 */
let server: TestServer;
let ground: TestServer;
let proxy: MuteProxy;
let admin: SignedIn;

beforeAll(async () => {
  ground = await startTestServer();
  proxy = await startMuteProxy(ground.database.url);
  server = await startTestServer({
    database: ground.database,
    environment: { DATABASE_LISTEN_URL: proxy.url },
    listen: { echoMs: 100, maxBackoffMs: 100, patienceMs: 2_000, deafMs: 5_000 },
    // The process does not poll for events, so it depends on notifications.
    streams: { sweepMs: 50, pollMs: 3_600_000 },
  });
  admin = await signIn(ground, { role: "admin" });
  // The first answer reads the API description to check itself, which takes long. So send a request
  // before the tests.
  const first = await follow("/public/shard/stream");
  await first.waitFor(({ event }) => event !== undefined);
  first.close();
  await untilItHears();
});
afterEach(() => proxy.unmute());
afterAll(async () => {
  await server.stop();
  await proxy.stop();
  await ground.stop();
});

const follow = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  openStream(`${server.url}/api/v1${path}`, { headers });

const followAll = () =>
  Promise.all([
    follow("/public/shard/stream"),
    follow("/admin/shardlink/stream", admin.headers),
    follow("/admin/events/stream", admin.headers),
  ]);

const bye = { event: "bye", retry: expect.any(Number), data: { reason: "unavailable" } };
const isHello = ({ event }: { readonly event?: string }): boolean => event === "hello";

const markets = () => callRoute(server, "GET /public/shard/market?limit=1", { mayFail: true });

/** Waits until the process hears its own notifications. This takes longer on a busy machine. */
const untilItHears = () => waitUntil("it hears", async () => (await markets()).status === 200);

/** Waits for `work`. @returns its result, or a text that says which stream ended first */
const unlessOneEnds = <T>(clients: readonly StreamClient[], work: Promise<T>) =>
  Promise.race([
    work,
    ...clients.map(({ ended, blocks }) => ended.then(() => `ended: ${JSON.stringify(blocks)}`)),
  ]);

/**
 * Opens all three streams and waits for the hello of each. If the process refuses a stream because a notification
 * was late, opens all streams again.
 */
async function followAllLive(): Promise<StreamClient[]> {
  await untilItHears();
  const clients = await followAll();
  const greeted = Promise.all(clients.map((client) => client.waitFor(isHello)));
  if (typeof (await unlessOneEnds(clients, greeted)) !== "string") return clients;
  for (const client of clients) client.close();
  return followAllLive();
}

/**
 * Selects the LISTEN connections. PostgreSQL also lists a connection that a proxy made silent, so a test waits for
 * both connections before it terminates them.
 */
const listening = `from pg_stat_activity
  where datname = current_database() and application_name = 'guildhall listen'`;

describe("a process whose LISTEN connection breaks and is soon replaced", () => {
  it("keeps its streams open and sends the events that it missed", async () => {
    const clients = await followAllLive();
    const bothListen = async () => (await query(ground, `select pid ${listening}`)).length === 2;
    await waitUntil("both listen", bothListen);
    const unheard = { kind: "server.stopping", payload: { reason: "unheard" } };
    const [id] = await storeEvents(ground, [unheard], false);
    await query(ground, `select pg_terminate_backend(pid) ${listening}`);
    // The third stream does not contain events of the shard.
    const told = clients.slice(0, 2).map((client) => client.waitFor((block) => block.id === id));
    expect(await unlessOneEnds(clients, Promise.all(told))).toEqual(expect.any(Array));
    for (const client of clients) client.close();
  });
});

describe("a process that receives no notification for longer than its limit", () => {
  it("ends all streams with bye and answers 503 until it receives a notification again", async () => {
    const clients = await followAllLive();
    proxy.muteAll();
    await Promise.all(clients.map(({ ended }) => ended));
    expect(clients.map(({ blocks }) => blocks.at(-1))).toEqual([bye, bye, bye]);
    const late = await followAll();
    await Promise.all(late.map(({ ended }) => ended));
    expect(late.map(({ blocks }) => blocks)).toEqual([[bye], [bye], [bye]]);
    const refused = await markets();
    expect([statusAndBodyOf(refused), refused.headers.get("retry-after")]).toEqual([
      [503, { error: "The database cannot be used at present" }],
      "5",
    ]);
    proxy.unmute();
    const [again, ...others] = await followAllLive();
    const [id] = await storeEvents(server, [
      { kind: "server.stopping", payload: { reason: "marker" } },
    ]);
    await again?.waitFor((block) => block.id === id);
    for (const client of [again, ...others]) client?.close();
  });
});
