import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, describe, expect, it } from "vitest";

import { callControl, openStream, refusedStream } from "./client.ts";
import type { StreamClient } from "./client.ts";
import type { Simulator } from "./simulator.ts";
import { noon, emitBroadcasts, createSimulatorPool } from "./starting.ts";
import { families as allFamilies } from "./world/families.ts";

const { start, stopAll } = createSimulatorPool();
afterEach(stopAll);

const quiet = { boot: false } as const;

/**
 * Resolves when the next event of this kind is in the buffer. Call it before you cause the event.
 */
const told = ({ buffer }: Simulator, kind: string): Promise<void> =>
  new Promise((resolve) => {
    buffer.onAppend(() => {
      if (buffer.log.at(-1)?.kind === kind) resolve();
    });
  });

const typesOf = (client: StreamClient): unknown[] => client.frames.map((frame) => frame["type"]);
const seqsOf = (client: StreamClient): unknown[] => client.events().map((frame) => frame["seq"]);

describe("the stream", () => {
  it("starts with hello, replays the buffer, then sends live and new events", async () => {
    const simulator = await start(quiet);
    emitBroadcasts(simulator, 2);
    const client = await openStream(simulator);
    await client.caughtUp();
    emitBroadcasts(simulator, 1);
    await client.until((frame) => frame["seq"] === 3);
    const { epoch, log } = simulator.buffer;
    const event = (seq: number, replay: boolean) => ({
      type: "event",
      seq,
      epoch,
      bootId: null,
      eventKey: null,
      kind: "world.broadcast",
      t: noon,
      replay,
      payload: log[seq - 1]?.payload,
    });
    expect(client.frames).toEqual([
      {
        type: "hello",
        protocol: 8,
        epoch,
        bootId: null,
        head: 2,
        oldest: 1,
        pluginConnected: false,
        shard: { name: "Guildhall Test Shard", version: "Publish 57", expansion: "EJ" },
        plugin: { version: "2.4.0" },
        capabilities: expect.arrayContaining(["clilocs", "assets", "atlas", "bodies", "champions"]),
        t: noon,
      },
      event(1, true),
      event(2, true),
      { type: "live", head: 2 },
      event(3, false),
    ]);
  });

  it("shows an empty buffer in hello and live", async () => {
    const simulator = await start(quiet);
    const client = await openStream(simulator);
    const [hello, live] = await client.caughtUp();
    expect(hello).toMatchObject({ head: 0, oldest: 1 });
    expect(live).toEqual({ type: "live", head: 0 });
  });

  it("continues after the cursor of the client", async () => {
    const simulator = await start(quiet);
    emitBroadcasts(simulator, 5);
    const client = await openStream(simulator, { epoch: simulator.buffer.epoch, after: 3 });
    await client.caughtUp();
    expect(typesOf(client)).toEqual(["hello", "event", "event", "live"]);
    expect(seqsOf(client)).toEqual([4, 5]);
  });

  it("sends the whole buffer, without a gap, for a cursor of another epoch", async () => {
    const simulator = await start(quiet);
    emitBroadcasts(simulator, 4);
    simulator.faults.trigger("forget", { count: 2 });
    const client = await openStream(simulator, { epoch: "another", after: 1 });
    await client.caughtUp();
    expect(typesOf(client)).toEqual(["hello", "event", "event", "live"]);
    expect(seqsOf(client)).toEqual([3, 4]);
  });

  it("replays nothing for a cursor of the same epoch beyond its newest event", async () => {
    const simulator = await start(quiet);
    emitBroadcasts(simulator, 2);
    const client = await openStream(simulator, { epoch: simulator.buffer.epoch, after: 9 });
    await client.caughtUp();
    expect(client.frames[0]).toMatchObject({ type: "hello", head: 2 });
    expect(typesOf(client)).toEqual(["hello", "live"]);
    emitBroadcasts(simulator, 1);
    expect(await client.until((frame) => frame["type"] === "event")).toMatchObject({ seq: 3 });
  });

  it("announces dropped events as a gap before it replays the rest", async () => {
    const simulator = await start(quiet);
    emitBroadcasts(simulator, 6);
    simulator.faults.trigger("forget", { count: 4 });
    const client = await openStream(simulator, { epoch: simulator.buffer.epoch, after: 1 });
    await client.caughtUp();
    expect(client.frames[0]).toMatchObject({ head: 6, oldest: 5 });
    expect(client.frames[1]).toEqual({ type: "gap", from: 2, to: 4, reason: "dropped" });
    expect(seqsOf(client)).toEqual([5, 6]);
  });

  it("replays a large buffer at the pace of the client", async () => {
    const simulator = await start(quiet);
    for (let index = 0; index < 400; index++) {
      simulator.emit("chat.message", { text: "x".repeat(20_000) });
    }
    const client = await openStream(simulator);
    client.socket.pause();
    emitBroadcasts(simulator, 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(client.events().length).toBeLessThan(400);
    client.socket.resume();
    await client.until((frame) => frame["seq"] === 401);
    expect(seqsOf(client)).toEqual(Array.from({ length: 401 }, (_, index) => index + 1));
    expect(typesOf(client).at(-2)).toBe("live");
  });

  it("answers pings", async () => {
    const client = await openStream(await start(quiet));
    client.socket.ping(Buffer.from("still there?"));
    const [data] = await once(client.socket, "pong");
    expect(String(data)).toBe("still there?");
  });

  it("disconnects a client that sends nothing", async () => {
    const client = await openStream(await start({ ...quiet, clientTimeoutMs: 40 }));
    expect(await client.closed).toBe(1006);
  });

  it("records acknowledgments, and records unknown frames separately", async () => {
    const simulator = await start(quiet);
    emitBroadcasts(simulator, 3);
    const client = await openStream(simulator);
    const { epoch } = simulator.buffer;
    client.socket.send(JSON.stringify({ type: "ack", epoch, seq: 2 }));
    client.socket.send(JSON.stringify({ type: "ack", epoch: "another", seq: 3 }));
    client.socket.send("hello?");
    await client.close();
    expect(simulator.received.acks).toEqual([
      { epoch, seq: 2, at: noon },
      { epoch: "another", seq: 3, at: noon },
    ]);
    expect(simulator.received.oddFrames).toEqual(["hello?"]);
    expect(simulator.buffer.acked).toBe(2);
  });
});

describe("a refusal before the upgrade", () => {
  it("has status 401 for a wrong token, whatever else is wrong", async () => {
    const simulator = await start(quiet);
    const refusal = await refusedStream(simulator, { token: "wrong", protocol: 7 });
    expect(refusal).toEqual({ status: 401, body: { code: "UNAUTHORIZED" } });
  });

  it.each([
    ["7", 7],
    ["", null],
    ["eight", null],
  ])("has status 409 for the protocol %j and names both protocols", async (protocol, client) => {
    const simulator = await start(quiet);
    const refusal = await refusedStream(simulator, { protocol });
    expect(refusal).toEqual({ status: 409, body: { code: "PROTOCOL", server: 8, client } });
  });

  it("has status 409 for protocol 8 if the sidecar speaks 7", async () => {
    const simulator = await start({ ...quiet, protocol: 7 });
    expect((await refusedStream(simulator)).body).toMatchObject({ server: 7, client: 8 });
    const client = await openStream(simulator, { protocol: 7 });
    const [hello] = await client.caughtUp();
    expect(hello).toMatchObject({
      protocol: 7,
      capabilities: ["pages", "towncrier", "signup", "links"],
    });
  });

  it("has status 423 while another client holds the stream, until that client disconnects", async () => {
    const simulator = await start(quiet);
    const holder = await openStream(simulator);
    expect(await refusedStream(simulator)).toEqual({ status: 423, body: { code: "LOCKED" } });
    await holder.close();
    const next = await openStream(simulator);
    await next.caughtUp();
    const statuses = simulator.received.connections.map(({ status }) => status);
    expect(statuses).toEqual([101, 423, 101]);
  });

  it.each([{ after: "x", epoch: "e" }, { after: 3 }, { epoch: "e" }])(
    "has status 400 for the cursor %j",
    async (cursor) => {
      const simulator = await start(quiet);
      expect((await refusedStream(simulator, cursor)).status).toBe(400);
    },
  );

  it("has status 404 for another path, while a query in the URL is accepted", async () => {
    const simulator = await start({ ...quiet, prefix: "/bridge" });
    expect(simulator.wsUrl).toMatch(/\/bridge\/v1\/stream$/);
    const elsewhere = simulator.wsUrl.replace("/v1/stream", "/v1/other");
    expect((await refusedStream(simulator, { path: elsewhere })).status).toBe(404);
    const client = await openStream(simulator, { path: `${simulator.wsUrl}?shard=one` });
    await client.caughtUp();
    expect((await callControl(simulator, "GET", "/v1/health")).status).toBe(200);
  });
});

describe("the buffer of events", () => {
  it("drops acknowledged events only when enough newer events exist", async () => {
    const simulator = await start({ ...quiet, keepRows: 10 });
    emitBroadcasts(simulator, 30);
    expect(simulator.buffer.oldest).toBe(1);
    simulator.buffer.ack(simulator.buffer.epoch, 15);
    expect(simulator.buffer.oldest).toBe(16);
    simulator.buffer.ack(simulator.buffer.epoch, 30);
    expect(simulator.buffer.oldest).toBe(21);
    expect(simulator.buffer.log).toHaveLength(30);
  });

  it("drops acknowledged events once they are old", async () => {
    let now = noon;
    const simulator = await start({ ...quiet, keepMs: 1_000, clock: () => now });
    emitBroadcasts(simulator, 4);
    simulator.buffer.ack(simulator.buffer.epoch, 3);
    now += 1_001;
    emitBroadcasts(simulator, 1);
    expect(simulator.buffer.oldest).toBe(4);
  });

  it("drops unacknowledged events if it is full, and announces a gap", async () => {
    const simulator = await start({ ...quiet, maxRows: 10 });
    emitBroadcasts(simulator, 40);
    const client = await openStream(simulator, { epoch: simulator.buffer.epoch, after: 0 });
    await client.caughtUp();
    const { oldest } = simulator.buffer;
    expect(oldest).toBeGreaterThan(28);
    expect(client.frames[1]).toEqual({ type: "gap", from: 1, to: oldest - 1, reason: "dropped" });
  });

  it("announces a gap to a slow client for events that were dropped before they could be sent", async () => {
    const simulator = await start({ ...quiet, maxRows: 10 });
    emitBroadcasts(simulator, 1);
    const client = await openStream(simulator);
    await client.caughtUp();
    simulator.stream.connection?.mute(true);
    emitBroadcasts(simulator, 30);
    simulator.stream.connection?.mute(false);
    await client.until((frame) => frame["seq"] === 31);
    const { oldest } = simulator.buffer;
    expect(client.frames.find((frame) => frame["type"] === "gap")).toEqual({
      type: "gap",
      from: 2,
      to: oldest - 1,
      reason: "dropped",
    });
    expect(seqsOf(client)[1]).toBe(oldest);
  });

  it("keeps epoch, seq, keys, acks, dropped events and answers across a restart if it is stored in a file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "buffer-"));
    const bufferFile = join(folder, "buffer.jsonl");
    const first = await start({ bufferFile });
    first.happen(40);
    first.buffer.ack(first.buffer.epoch, 20);
    first.faults.trigger("forget", { count: 5 });
    const kick = { body: { account: "maple" }, key: "k" };
    const answer = await callControl(first, "POST", "/v1/kick", kick);
    const { epoch, head, log } = first.buffer;
    await first.stop();
    // Append a truncated line, as a kill may leave it. Its event was never sent.
    writeFileSync(bufferFile, `${readFileSync(bufferFile, "utf8")}{"event":{"epo`);

    const second = await start({ bufferFile });
    expect(second.buffer.epoch).toBe(epoch);
    expect(second.buffer.oldest).toBe(6);
    expect(second.buffer.acked).toBe(20);
    expect(second.buffer.log.slice(0, head)).toEqual(log);
    expect(second.buffer.log[head]).toMatchObject({ kind: "server.started", seq: head + 1 });
    expect(second.game.bootId).not.toBe(first.game.bootId);
    const keys = second.buffer.log.flatMap(({ eventKey }) => eventKey ?? []);
    expect(new Set(keys).size).toBe(keys.length);
    expect(await callControl(second, "POST", "/v1/kick", kick)).toEqual(answer);
    expect(second.received.commands[0]?.replayed).toBe(true);
    second.faults.trigger("recreate");
    expect(second.buffer.epoch).not.toBe(epoch);
    rmSync(folder, { recursive: true });
  });
});

describe("POST /v1/resync", () => {
  it("sends begin, pages 1 to n and end of each family, and every row once", async () => {
    const simulator = await start({ world: { vendors: 130, listings: 900, houses: 12 } });
    const from = simulator.buffer.log.length;
    const families = [...allFamilies];
    const ended = told(simulator, "points.snapshot.end");
    const answer = await callControl(simulator, "POST", "/v1/resync", { body: { families } });
    expect(answer).toEqual({ status: 202, body: { families } });
    await ended;
    const events = simulator.buffer.log.slice(from);
    for (const family of families) {
      const own = events.filter(({ kind }) => kind.startsWith(`${family}.snapshot.`));
      const pages = own.filter(({ kind }) => kind.endsWith(".page")).map(({ payload }) => payload);
      const snapshotId = own[0]?.payload["snapshotId"];
      const rows = pages.flatMap((page) => page["rows"] as unknown[]);
      expect(own[0]).toMatchObject({
        kind: `${family}.snapshot.begin`,
        payload: { snapshotId, pages: pages.length, count: rows.length },
      });
      expect(own.at(-1)).toMatchObject({
        kind: `${family}.snapshot.end`,
        payload: { snapshotId },
      });
      expect(pages.map((page) => page["page"])).toEqual(pages.map((_, index) => index + 1));
      expect(own.every(({ payload }) => payload["snapshotId"] === snapshotId)).toBe(true);
      expect(own.every(({ eventKey }) => eventKey === null)).toBe(true);
      expect(own.every((event) => JSON.stringify(event).length < 256 * 1024)).toBe(true);
    }
    const market = events.filter(({ kind }) => kind === "market.snapshot.page");
    expect(market.length).toBeGreaterThan(1);
    expect(market.flatMap(({ payload }) => payload["rows"] as unknown[])).toHaveLength(130);
  });

  it("allows other events between the pages if the snapshot pauses", async () => {
    const simulator = await start({ snapshotPauseMs: 1 });
    const from = simulator.buffer.log.length;
    simulator.buffer.onAppend(() => {
      const { kind } = simulator.buffer.log.at(-1) ?? {};
      if (kind === "market.snapshot.begin") simulator.emit("chat.message", { text: "now" });
    });
    const ended = told(simulator, "market.snapshot.end");
    await callControl(simulator, "POST", "/v1/resync", { body: { families: ["market"] } });
    await ended;
    const kinds = simulator.buffer.log.slice(from).map(({ kind }) => kind);
    expect(kinds).toEqual([
      "market.snapshot.begin",
      "chat.message",
      "market.snapshot.page",
      "market.snapshot.end",
    ]);
  });

  it("leaves the snapshot incomplete if the game goes away during it", async () => {
    const simulator = await start({ snapshotPauseMs: 1 });
    simulator.buffer.onAppend(() => {
      if (simulator.buffer.log.at(-1)?.kind === "market.snapshot.begin") {
        simulator.faults.trigger("away", { crash: true });
      }
    });
    const begun = told(simulator, "market.snapshot.begin");
    await callControl(simulator, "POST", "/v1/resync", { body: { families: ["market", "house"] } });
    await begun;
    simulator.faults.trigger("back");
    const ended = told(simulator, "guild.snapshot.end");
    await callControl(simulator, "POST", "/v1/resync", { body: { families: ["guild"] } });
    await ended;
    const kinds = simulator.buffer.log.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind.includes(".snapshot."))).toEqual([
      "market.snapshot.begin",
      "guild.snapshot.begin",
      "guild.snapshot.page",
      "guild.snapshot.end",
    ]);
  });

  it("answers 400 for an unknown family", async () => {
    const simulator = await start();
    const body = { families: ["weather"] };
    expect(await callControl(simulator, "POST", "/v1/resync", { body })).toEqual({
      status: 400,
      body: { code: "INVALID", field: "families", reason: "weather is no family" },
    });
  });
});
