import { afterEach, describe, expect, it } from "vitest";

import { callControl, callSim, openStream, refusedStream } from "./client.ts";
import type { StreamClient } from "./client.ts";
import type { Simulator } from "./simulator.ts";
import { noon, eventsSince, emitBroadcasts, createSimulatorPool } from "./starting.ts";
import type { BufferedEvent } from "./stream/event.ts";
import { familyRows } from "./world/families.ts";

const { start, stopAll } = createSimulatorPool();
afterEach(stopAll);

const quiet = { boot: false } as const;

const seqsOf = (client: StreamClient): unknown[] => client.events().map((frame) => frame["seq"]);

async function listening(simulator: Simulator): Promise<StreamClient> {
  const client = await openStream(simulator);
  await client.caughtUp();
  return client;
}

const seq = (wanted: number) => (frame: Readonly<Record<string, unknown>>) =>
  frame["seq"] === wanted;

type Row = Readonly<Record<string, unknown>>;

/** Returns the fields in which a repeated event equals the original. */
const facts = ({ eventKey, kind, t, payload, bootId }: Partial<BufferedEvent>): unknown => ({
  eventKey,
  kind,
  t,
  payload,
  bootId,
});

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
    : 0;

describe("faults of the stream", () => {
  it("the fault drop closes the socket with a code, or without one", async () => {
    const simulator = await start(quiet);
    const closed = await listening(simulator);
    simulator.faults.trigger("drop", { code: 1001 });
    expect(await closed.closed).toBe(1001);
    const cut = await listening(simulator);
    simulator.faults.trigger("drop", { terminate: true });
    expect(await cut.closed).toBe(1006);
    await listening(simulator);
  });

  it.each([
    [401, { code: "UNAUTHORIZED" }],
    [409, { code: "PROTOCOL", server: 9, client: 8 }],
    [423, { code: "LOCKED" }],
  ])("the fault refuse answers the next upgrades with %i", async (status, body) => {
    const simulator = await start(quiet);
    simulator.faults.trigger("refuse", { status, times: 2 });
    expect(await refusedStream(simulator)).toEqual({ status, body });
    expect(await refusedStream(simulator)).toEqual({ status, body });
    await listening(simulator);
  });

  it("the fault silence delays all frames, drops pongs and loses no event", async () => {
    const simulator = await start(quiet);
    const client = await listening(simulator);
    let pongs = 0;
    client.socket.on("pong", () => pongs++);
    simulator.faults.trigger("silence", { ms: 60 });
    emitBroadcasts(simulator, 2);
    client.socket.ping();
    await client.until(seq(2));
    expect(pongs).toBe(0);
    expect(seqsOf(client)).toEqual([1, 2]);
  });

  it("the fault repeat sends the newest events again, and the fault overlap sends events before the cursor of the client", async () => {
    const simulator = await start(quiet);
    const client = await listening(simulator);
    emitBroadcasts(simulator, 3);
    await client.until(seq(3));
    simulator.faults.trigger("repeat", { count: 2 });
    emitBroadcasts(simulator, 1);
    await client.until(seq(4));
    expect(seqsOf(client)).toEqual([1, 2, 3, 2, 3, 4]);
    expect(client.events()[3]).toEqual(client.events()[1]);
    await client.close();
    simulator.faults.trigger("overlap", { count: 2 });
    const cursor = { epoch: simulator.buffer.epoch, after: 3 };
    const next = await openStream(simulator, cursor);
    await next.caughtUp();
    expect(seqsOf(next)).toEqual([2, 3, 4]);
    await next.close();
    const last = await openStream(simulator, cursor);
    await last.caughtUp();
    expect(seqsOf(last)).toEqual([4]);
  });

  it("the fault disorder changes only the times of a given number of events, up to the given limit", async () => {
    const simulator = await start();
    const from = simulator.buffer.log.length;
    simulator.faults.trigger("disorder", { count: 60, ms: 2_000 });
    for (let count = 0; count < 70; count++) simulator.emit("chat.message", { text: "x" });
    const times = simulator.buffer.log.slice(from).map(({ t }) => t - noon);
    const moved = times.slice(0, 60);
    expect(moved.every((by) => Number.isInteger(by) && Math.abs(by) <= 2_000)).toBe(true);
    expect(moved.some((by, index) => index > 0 && by < (moved[index - 1] ?? 0))).toBe(true);
    expect(times.slice(60).every((by) => by === 0)).toBe(true);
    const seqs = simulator.buffer.log.map((event) => event.seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  });

  it("the fault skew shifts the game's clock until it is reset", async () => {
    const simulator = await start();
    simulator.faults.trigger("skew", { ms: -5_000 });
    expect(simulator.emit("chat.message", {}).t).toBe(noon - 5_000);
    simulator.faults.trigger("skew", { ms: 0 });
    expect(simulator.emit("chat.message", {}).t).toBe(noon);
  });

  it("the fault hole leaves out live events without a gap frame, and replays them after a reconnect", async () => {
    const simulator = await start(quiet);
    const client = await listening(simulator);
    simulator.faults.trigger("hole", { count: 2 });
    emitBroadcasts(simulator, 4);
    await client.until(seq(4));
    expect(seqsOf(client)).toEqual([3, 4]);
    expect(client.frames.some((frame) => frame["type"] === "gap")).toBe(false);
    await client.close();
    const next = await openStream(simulator, { epoch: simulator.buffer.epoch, after: 0 });
    await next.caughtUp();
    expect(seqsOf(next)).toEqual([1, 2, 3, 4]);
  });

  it("the fault gap loses events and announces the loss, live and in later replays", async () => {
    const simulator = await start();
    const client = await listening(simulator);
    const { head } = simulator.buffer;
    simulator.faults.trigger("gap", { count: 3 });
    const lost = simulator.buffer.log.filter((event) => event.lost);
    expect(lost.length).toBeGreaterThanOrEqual(3);
    const gap = { type: "gap", from: head + 1, to: head + lost.length, reason: "lost" };
    simulator.emit("chat.message", { text: "after" });
    await client.until(seq(gap.to + 1));
    expect(client.frames.slice(-2)).toEqual([gap, expect.objectContaining({ seq: gap.to + 1 })]);
    await client.close();
    const next = await openStream(simulator, { epoch: simulator.buffer.epoch, after: head });
    await next.caughtUp();
    expect(next.frames[1]).toEqual(gap);
    expect(seqsOf(next)).toEqual([gap.to + 1]);
  });

  it("the fault forget drops the oldest events, acknowledged or not", async () => {
    const simulator = await start(quiet);
    emitBroadcasts(simulator, 5);
    simulator.faults.trigger("forget", { count: 3 });
    expect(simulator.buffer.oldest).toBe(4);
    expect(simulator.buffer.log).toHaveLength(5);
  });

  it("the fault recreate starts a new epoch, in which the newest events have their former event keys", async () => {
    const simulator = await start();
    simulator.happen(30);
    const before = simulator.buffer.log.filter(({ eventKey }) => eventKey !== null).slice(-4);
    const { epoch } = simulator.buffer;
    const client = await listening(simulator);
    simulator.faults.trigger("recreate", { repeat: 4 });
    expect(await client.closed).toBe(1006);
    const next = await openStream(simulator, { epoch, after: 3 });
    const [hello] = await next.caughtUp();
    expect(hello).toMatchObject({ epoch: simulator.buffer.epoch, head: 4, oldest: 1 });
    expect(simulator.buffer.epoch).not.toBe(epoch);
    expect(next.events().map(facts)).toEqual(before.map(facts));
    expect(seqsOf(next)).toEqual([1, 2, 3, 4]);
  });

  it.each([
    ["noKind", (frame: Row) => !("kind" in frame)],
    ["oddKind", (frame: Row) => frame["kind"] === "Vendor Sale!"],
    ["longKind", (frame: Row) => String(frame["kind"]).length === 65],
    ["noTime", (frame: Row) => !("t" in frame)],
    ["textTime", (frame: Row) => typeof frame["t"] === "string"],
    ["fractionTime", (frame: Row) => frame["t"] === 1.5],
    ["negativeTime", (frame: Row) => frame["t"] === -1],
    ["hugeTime", (frame: Row) => frame["t"] === 2 ** 53 + 2],
    ["noPayload", (frame: Row) => !("payload" in frame)],
    ["textPayload", (frame: Row) => typeof frame["payload"] === "string"],
    ["listPayload", (frame: Row) => Array.isArray(frame["payload"])],
    ["wrongPayload", (frame: Row) => frame["kind"] === "vendor.sale"],
    ["oddSerial", (frame: Row) => (frame["payload"] as Row)["serial"] === "0xFFFFFFFF"],
    ["deep", (frame: Row) => depthOf(frame["payload"]) === 41],
    ["oversized", (frame: Row) => JSON.stringify(frame).length > 256 * 1024],
    ["huge", (frame: Row) => JSON.stringify(frame).length > 1024 * 1024],
    ["unknownKind", (frame: Row) => frame["kind"] === "shard.mystery"],
    ["nul", (frame: Row) => String((frame["payload"] as Row)["text"]).includes("\0")],
    ["surrogate", (frame: Row) => !String((frame["payload"] as Row)["text"]).isWellFormed()],
    ["extraFields", (frame: Row) => frame["colour"] === "red"],
  ] as const)(
    "the fault frame sends %s as an event with a seq, live and in replays",
    async (form, claim) => {
      const simulator = await start(quiet);
      const client = await listening(simulator);
      simulator.faults.trigger("frame", { form });
      emitBroadcasts(simulator, 1);
      const live = await client.until(seq(1));
      await client.until(seq(2));
      expect(claim(live)).toBe(true);
      expect(live["epoch"]).toBe(simulator.buffer.epoch);
      await client.close();
      const next = await listening(simulator);
      expect(next.events()[0]).toEqual({ ...live, replay: true });
      const stored = ["unknownKind", "nul", "surrogate", "extraFields"].includes(form);
      const { events } = (await callSim(simulator, "GET", "/log")).body as { events: Row[] };
      expect(events[0]).toMatchObject({ seq: 1, form, stored });
    },
  );

  it("the fault frame sends a payload nested too deep to parse", async () => {
    const simulator = await start(quiet);
    const client = await listening(simulator);
    const text = new Promise<string>((resolve) =>
      client.socket.on("message", (data: Buffer) => resolve(data.toString("utf8"))),
    );
    simulator.faults.trigger("frame", { form: "veryDeep" });
    expect(await text).toContain("[".repeat(20_000));
  });

  it.each([
    "notJson",
    "empty",
    "list",
    "number",
    "nullFrame",
    "unknownType",
    "noType",
    "noSeq",
    "textSeq",
    "oddGap",
    "oddPlugin",
    "binary",
  ])(
    "the fault frame sends %s once, without a seq, and does not add it to the log",
    async (form) => {
      const simulator = await start(quiet);
      const client = await listening(simulator);
      const before = client.frames.length + client.stray.length;
      simulator.faults.trigger("frame", { form });
      emitBroadcasts(simulator, 1);
      await client.until(seq(1));
      expect(client.frames.length + client.stray.length).toBe(before + 2);
      expect(simulator.buffer.log).toHaveLength(1);
    },
  );

  it.each([
    ["noEnd", ["begin"]],
    ["missingPage", ["begin", "end"]],
    ["wrongPages", ["begin", "page", "end"]],
    ["wrongCount", ["begin", "page", "end"]],
    ["wrongId", ["begin", "page", "end"]],
  ])("the fault tear makes a snapshot incomplete in the form %s", async (form, steps) => {
    const simulator = await start();
    const from = simulator.buffer.log.length;
    const told = new Promise<void>((resolve) => {
      simulator.buffer.onAppend(() => {
        if (simulator.buffer.log.length === from + steps.length) resolve();
      });
    });
    simulator.faults.trigger("tear", { family: "governor", form });
    await told;
    const parts = simulator.buffer.log.slice(from);
    expect(parts.map(({ kind }) => kind)).toEqual(steps.map((step) => `governor.snapshot.${step}`));
    const [begin, end] = [parts[0]?.payload, parts.at(-1)?.payload];
    expect(begin?.["pages"]).toBe(form === "wrongPages" ? 2 : 1);
    expect(begin?.["count"]).toBe(form === "wrongCount" ? 10 : 9);
    const endsAsItBegan = end?.["snapshotId"] === begin?.["snapshotId"];
    expect(endsAsItBegan).toBe(form !== "wrongId");
  });
});

describe("faults of the game", () => {
  it("the fault restart ends the boot, announces it on the stream, and starts another boot", async () => {
    const simulator = await start();
    const client = await listening(simulator);
    const { bootId: before } = simulator.game;
    simulator.faults.trigger("restart", { downMs: 1 });
    await client.until(({ type, connected }) => type === "plugin" && connected === true);
    await client.until(({ kind, replay }) => kind === "economy.snapshot" && replay === false);
    const { bootId } = simulator.game;
    expect(bootId).not.toBe(before);
    const live = client.frames.slice(client.frames.findIndex(({ type }) => type === "live") + 1);
    expect(live.slice(0, 4)).toEqual([
      expect.objectContaining({
        kind: "server.stopping",
        bootId: before,
        payload: { reason: "restart", exception: null },
      }),
      { type: "plugin", connected: false, bootId: null },
      { type: "plugin", connected: true, bootId },
      expect.objectContaining({ kind: "server.started", bootId }),
    ]);
    const seqs = seqsOf(client) as number[];
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  });

  it("the fault away simulates a crash without any announcement, and the fault back boots again", async () => {
    const simulator = await start();
    const client = await listening(simulator);
    const { head } = simulator.buffer;
    simulator.faults.trigger("away", { crash: true });
    await client.until(({ type, connected }) => type === "plugin" && connected === false);
    expect(simulator.buffer.head).toBe(head);
    expect(simulator.happen(5)).toBe(0);
    expect(simulator.world.online.size).toBe(0);
    simulator.faults.trigger("back");
    expect(simulator.game.running).toBe(true);
    expect(simulator.world.online.size).toBe(8);
  });

  it("the fault freeze stops the game during a save, and no events are generated for that time afterward", async () => {
    const simulator = await start();
    const from = simulator.buffer.log.length;
    simulator.faults.trigger("freeze", { ms: 60_000 });
    expect(simulator.game.running).toBe(true);
    expect(simulator.happen(5)).toBe(0);
    simulator.game.thaw();
    const counts = { items: 20, mobiles: expect.any(Number) };
    expect(eventsSince(simulator, from)).toEqual([
      ["server.save", { phase: "start", durationMs: null, ...counts }],
      ["server.save", { phase: "done", durationMs: 0, ...counts }],
    ]);
    expect(simulator.happen(5)).toBeGreaterThanOrEqual(5);
  });

  it("a crash resets the world to its last save, with its links, accounts and serials", async () => {
    const simulator = await start({ links: [{ account: "maple", userId: 7 }] });
    const { world } = simulator;
    const open = async (account: string): Promise<unknown> => {
      const body = { account, password: "open sesame", ip: "127.0.0.1" };
      return (await callControl(simulator, "POST", "/v1/accounts", { body })).body;
    };
    await open("rose");
    simulator.faults.trigger("save");
    const saved = JSON.stringify(familyRows(world, "market", noon));
    const firstSerial = world.serials.item();
    world.serials.goBackTo({ ...world.serials.counters, item: Number(firstSerial) });
    await open("tulip");
    simulator.happen(400);
    expect(JSON.stringify(familyRows(world, "market", noon))).not.toBe(saved);
    simulator.faults.trigger("restart", { downMs: 0, crash: true });
    expect(world.links.keys()).toEqual(expect.arrayContaining(["maple", "rose"]));
    expect(world.links.has("tulip")).toBe(false);
    expect([world.accounts.has("rose"), world.accounts.has("tulip")]).toEqual([true, false]);
    expect(JSON.stringify(familyRows(world, "market", noon))).toBe(saved);
    expect(world.serials.item()).toBe(firstSerial);
    const [vendor] = world.vendors.values().filter(({ owner }) => owner !== null);
    expect(world.characters.get(vendor?.owner?.serial ?? "")).toBe(vendor?.owner);
    simulator.faults.trigger("back");
    expect(await open("tulip")).toEqual({ account: "tulip", linked: true });
  });

  it("an orderly stop loses no change of the world", async () => {
    const simulator = await start();
    simulator.happen(400);
    const before = JSON.stringify(familyRows(simulator.world, "house", noon));
    simulator.faults.trigger("away");
    simulator.faults.trigger("back");
    expect(JSON.stringify(familyRows(simulator.world, "house", noon))).toBe(before);
    simulator.faults.trigger("away", { crash: true });
    expect(JSON.stringify(familyRows(simulator.world, "house", noon))).toBe(before);
  });

  it("the fault back starts a boot whose events differ from those of the boot before", async () => {
    const simulator = await start();
    const kindsAfter = (): string[] => {
      const from = simulator.buffer.log.length;
      simulator.happen(60);
      return simulator.buffer.log.slice(from).map(({ kind }) => kind);
    };
    const first = kindsAfter();
    simulator.faults.trigger("away");
    simulator.faults.trigger("back");
    expect(kindsAfter()).not.toEqual(first);
  });
});
