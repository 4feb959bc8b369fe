import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { clockNowPlus } from "../../models/queries/clock.ts";
import { buildHelloFrame, startStreamServer } from "../bridge/stream-server.ts";
import { startSimulator } from "../simulator/simulator.ts";
import type { SurvivalSimulator } from "../simulator/survival/simulator.ts";
import { createSurvivalSimulatorPool } from "../simulator/survival/starting.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { changeSurvivalServers } from "../support/factories/survival.ts";
import { callRoute } from "../support/http/call.ts";
import type { ChildProgram } from "../support/service/own-process.ts";
import { startProgram } from "../support/service/processes.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { linkSimulator } from "../support/shard/ingest.ts";
import { waitUntilStored } from "../support/survival/survival-said.ts";

const simulators = createSurvivalSimulatorPool();

let server: TestServer;
let admin: SignedIn;
let ingest: ChildProgram;
/** Functions that clean up after a test. */
const ends: (() => Promise<void>)[] = [];

beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
  ingest = await startProgram("ingest", { database: server.database });
});
afterAll(async () => {
  await ingest.kill();
  await server.stop();
});
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
  await simulators.stopAll();
});

const base = "/admin/survival/servers";

async function ask(request: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await callRoute(server, request, {
    headers: admin.headers,
    ...(body && { body }),
  });
  expect([answer.status, answer.body]).toEqual([
    request.startsWith("POST") ? 201 : 200,
    answer.body,
  ]);
  return answer.body as Record<string, unknown>;
}

const linkOf = ({ baseUrl, wsUrl, token }: SurvivalSimulator) => ({ baseUrl, wsUrl, token });

let added = 0;

/** Adds a server over the API, linked to a simulated game. */
async function add(simulator: SurvivalSimulator, more: object = {}): Promise<number> {
  const body = { name: `Server ${++added}`, enabled: true, ...linkOf(simulator), ...more };
  const { server: made } = (await ask(`POST ${base}`, body)) as { server: { id: number } };
  return made.id;
}

const change = (id: number, body: object) => ask(`PUT ${base}/${id}`, body);

const hears = (simulator: SurvivalSimulator, id: number) => waitUntilStored(server, simulator, id);

const connections = ({ received }: SurvivalSimulator): number => received.connections.length;

describe("PUT /admin/survival/servers/:id", () => {
  it("keeps the stream of a server open unless its address or token changes", async () => {
    const oak = await simulators.start();
    const id = await add(oak);
    await hears(oak, id);
    const { token, baseUrl, wsUrl } = oak;
    const plain = { description: "New", sort: 3, listed: false, wipeRule: "weekly", slug: "oak" };
    await change(id, { ...plain, enabled: true, token, baseUrl, wsUrl });
    await change(id, { description: null });
    // Ingest handles changes one after another. So once ingest is connected to this new server, it has handled
    // all earlier changes.
    const elm = await simulators.start();
    await hears(elm, await add(elm));
    await hears(oak, id);
    expect(connections(oak)).toBe(1);
  });

  it("reconnects if the address or the token changes", async () => {
    const [oak, elm] = [await simulators.start(), await simulators.start()];
    const id = await add(oak);
    await hears(oak, id);
    await change(id, linkOf(elm));
    await hears(elm, id);
    expect([connections(oak), connections(elm)]).toEqual([1, 1]);
  });

  it("moves the next wipe only if the schedule changes", async () => {
    const oak = await simulators.start();
    const id = await add(oak, { enabled: false, wipeRule: "once", wipeAt: "2026-03-05T19:00:00Z" });
    // The wipe should have happened a minute ago, but no new world exists yet.
    const twoDaysAgo = clockNowPlus(-2 * 86_400_000);
    const aMinuteAgo = new Date(Date.now() - 60_000);
    const changes = { wipeSetAt: twoDaysAgo, updatedAt: twoDaysAgo, wipeAt: aMinuteAgo };
    await changeSurvivalServers(server, changes, { id });
    const { SurvivalWipe, SurvivalServerState } = server.context.models;
    const startedAt = clockNowPlus(-7 * 86_400_000);
    await SurvivalWipe.create({ serverId: id, saveId: 1, startedAt });
    await SurvivalServerState.create({ serverId: id, saveId: 1 });
    const wipe = async () => {
      const { server: shown } = await ask(`GET ${base}/${id}`);
      const { nextWipe, wipeAt } = shown as { nextWipe: string | null; wipeAt: string };
      return { nextWipe, wipeAt };
    };
    const { nextWipe, wipeAt } = await wipe();
    expect(nextWipe).toBe(wipeAt);
    await change(id, { description: "New", sort: 2 });
    expect(await wipe()).toEqual({ nextWipe, wipeAt });
    await change(id, { wipeRule: "once", wipeAt });
    expect(await wipe()).toEqual({ nextWipe, wipeAt });
    const other = new Date(Date.parse(wipeAt) - 1_000).toISOString();
    await change(id, { wipeRule: "once", wipeAt: other });
    expect(await wipe()).toEqual({ nextWipe: null, wipeAt: other });
  });
});

/** Starts a server that accepts connections and never sends anything. */
async function startStuckServer(): Promise<{
  baseUrl: string;
  wsUrl: string;
  visits: () => number;
}> {
  const sockets: Socket[] = [];
  const listener = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.resume();
    sockets.push(socket);
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  ends.push(async () => {
    for (const socket of sockets) socket.destroy();
    listener.close();
    await once(listener, "close");
  });
  const { port } = listener.address() as AddressInfo;
  const address = `127.0.0.1:${port}`;
  return {
    baseUrl: `http://${address}`,
    wsUrl: `ws://${address}/v1/stream`,
    visits: () => sockets.length,
  };
}

/** Starts a server that sends a hello and then any number of invalid frames. */
async function startHostileServer() {
  const stream = await startStreamServer();
  const flood = setInterval(() => {
    for (const visit of stream.visits) {
      if (visit.closed) continue;
      if (visit.received.length === 0) {
        visit.send(buildHelloFrame({ protocol: 13, capabilities: ["perm"] }));
      }
      const odd = [`{"type":"event","seq":${"9".repeat(400)}}`, "{".repeat(2_000), "\u0000", "[]"];
      for (let sent = 0; sent < 25; sent++) visit.send(...odd);
    }
  }, 10);
  ends.push(async () => {
    clearInterval(flood);
    await stream.close();
  });
  return { baseUrl: stream.url.replace("ws:", "http:"), wsUrl: stream.url, visits: stream.visits };
}

describe("ingest", () => {
  it("follows added, changed, disabled and deleted servers even if another server hangs or sends garbage", async () => {
    const shard = await startSimulator({ world: "small" });
    ends.push(() => shard.stop());
    await linkSimulator(shard, server.context);
    const healthy = await simulators.start();
    const healthyId = await add(healthy);
    const stuck = await startStuckServer();
    const hostile = await startHostileServer();
    const token = "x".repeat(32);
    await add(healthy, { ...stuck, visits: undefined, token });
    const hostileId = await add(healthy, { ...hostile, visits: undefined, token });
    await waitUntil("the stuck one is dialled", () => stuck.visits() > 0);
    await waitUntil("the hostile one has its say", async () => {
      const source = `survival:${hostileId}`;
      const where = { source };
      const known = await server.context.models.IngestSource.findOne({ where });
      return (known?.rejected ?? 0) > 1_000;
    });
    /** Requires that events of the other servers are still stored. */
    const others = async () => {
      await hears(healthy, healthyId);
      await hearsShard(shard);
    };
    await others();

    const [oak, elm] = [await simulators.start(), await simulators.start()];
    const id = await add(oak);
    await hears(oak, id);
    await others();

    await change(id, linkOf(elm));
    await hears(elm, id);
    expect(oak.stream.connection).toBeUndefined();
    await others();

    await change(id, { enabled: false });
    await waitUntil("its stream is let go of", () => elm.stream.connection === undefined);
    await others();
    await change(id, { enabled: true });
    await hears(elm, id);

    await ask(`DELETE ${base}/${id}?purge=true`);
    await waitUntil("its stream is let go of", () => elm.stream.connection === undefined);
    await others();
    expect(connections(oak)).toBe(1);
    expect(connections(healthy)).toBe(1);
    // After the deletion, ingest also closes its connection to a server that sends nothing valid.
    await ask(`DELETE ${base}/${hostileId}?purge=true`);
    await waitUntil("the hostile one is let go of", () =>
      hostile.visits.every(({ closed }) => closed),
    );
  });
});

let saidByShard = 0;

async function hearsShard(shard: Awaited<ReturnType<typeof startSimulator>>): Promise<void> {
  const kind = `marker.shard${++saidByShard}`;
  shard.emit(kind, {});
  await waitUntil(`the shard's ${kind} is stored`, async () => {
    return (await server.context.models.ShardEvent.count({ where: { kind } })) > 0;
  });
}
