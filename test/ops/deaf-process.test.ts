import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";

import { call, outcome } from "../support/call.ts";
import { openStream } from "../support/event-stream.ts";
import { type MuteProxy, startMuteProxy } from "../support/mute-proxy.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { storeEvents } from "../support/shard-events.ts";
import { signIn, type SignedIn } from "../support/sign-in.ts";
import { until } from "../support/wait.ts";

/** A process that listens by a way of its own, which can fall silent while the pool goes on. */
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
    streams: { sweepMs: 50 },
  });
  admin = await signIn(ground, { role: "admin" });
  // The first blocks and answers are held up, and the process with them, by the description that is read.
  const first = await follow("/public/shard/stream");
  await first.waitFor(({ event }) => event !== undefined);
  first.close();
  await until("it hears", async () => (await markets()).status === 200);
});
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

const markets = () => call(server, "GET /public/shard/market?limit=1", { mayFail: true });

describe("a process that has heard nothing for longer than its patience", () => {
  it("ends its streams with bye, ends new ones alike, and answers 503, until it hears again", async () => {
    const clients = await followAll();
    await Promise.all(clients.map((client) => client.waitFor(isHello)));
    expect((await markets()).status).toBe(200);
    proxy.muteAll();
    await Promise.all(clients.map(({ ended }) => ended));
    expect(clients.map(({ blocks }) => blocks.at(-1))).toEqual([bye, bye, bye]);
    const late = await followAll();
    await Promise.all(late.map(({ ended }) => ended));
    expect(late.map(({ blocks }) => blocks)).toEqual([[bye], [bye], [bye]]);
    const refused = await markets();
    expect([outcome(refused), refused.headers.get("retry-after")]).toEqual([
      [503, { error: "The database cannot be used at present" }],
      "5",
    ]);
    proxy.unmute();
    await until("it hears again", async () => (await markets()).status === 200);
    const again = await follow("/public/shard/stream");
    await again.waitFor(isHello);
    const [id] = await storeEvents(server, [
      { kind: "server.stopping", payload: { reason: "marker" } },
    ]);
    await again.waitFor((block) => block.id === id);
    again.close();
  });
});
