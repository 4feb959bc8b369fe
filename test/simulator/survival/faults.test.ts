import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, describe, expect, it } from "vitest";

import { callSim, openStream, refused } from "../client.ts";
import {
  getControlRoute,
  kindsOf,
  lastOf,
  findPlayerByIndex,
  post,
  put,
  timesOf,
  waitForNextEvent,
} from "./expecting.ts";
import { noon, createSurvivalSimulatorPool, survivalEventsSince } from "./starting.ts";
import { onlinePlayers } from "./world/world.ts";

const { start, stopAll } = createSurvivalSimulatorPool();
afterEach(stopAll);

const announcement = { message: "Hi", channel: "chat" };

describe("faults of the stream", () => {
  it("the fault gap sends a gap frame, and the fault recreate begins a new buffer", async () => {
    const simulator = await start();
    const client = await openStream(simulator);
    await client.until(({ kind, replay }) => kind === "player.tally" && replay === false);
    simulator.faults.trigger("hole", { count: 1 });
    simulator.happen(1);
    const { head, epoch } = simulator.buffer;
    simulator.faults.trigger("gap", { count: 2 });
    const gap = await client.until(({ type }) => type === "gap");
    expect(gap).toMatchObject({ from: head + 1, reason: "lost" });
    simulator.faults.trigger("recreate", { repeat: 5 });
    await client.closed;
    expect(simulator.buffer.epoch).not.toBe(epoch);
    expect(simulator.buffer.head).toBe(5);
  });

  it("the fault frame sends malformed versions of a survival server's events", async () => {
    const simulator = await start();
    const client = await openStream(simulator);
    await client.caughtUp();
    const sent = async (form: string) => {
      simulator.faults.trigger("frame", { form });
      const { head } = simulator.buffer;
      return client.until(({ seq }) => seq === head);
    };
    expect(await sent("wrongPayload")).toMatchObject({ kind: "player.joined" });
    expect(await sent("oddSerial")).toMatchObject({ payload: { steamId: "123" } });
    expect(await sent("unknownKind")).toMatchObject({ kind: "survival.mystery" });
    expect(await sent("nul")).toMatchObject({ payload: { message: "before\u0000after" } });
  });

  it("the fault teamChat sends messages of the team channel", async () => {
    const simulator = await start();
    simulator.faults.trigger("teamChat", { count: 2 });
    const said = simulator.buffer.log.filter(({ kind }) => kind === "player.chat");
    expect(said.map(({ payload }) => payload["channel"])).toEqual(["team", "team"]);
  });

  it("the fault ghost makes players leave without a leave event", async () => {
    const simulator = await start();
    const from = simulator.buffer.log.length;
    simulator.faults.trigger("ghost", { count: 3 });
    expect(simulator.buffer.log).toHaveLength(from);
    expect(onlinePlayers(simulator.world)).toHaveLength(9);
  });
});

describe("faults of the game", () => {
  it("the fault restart boots the same world again", async () => {
    const simulator = await start();
    const { bootId } = simulator.game;
    const { saveId } = simulator.world.save;
    const from = simulator.buffer.log.length;
    simulator.faults.trigger("restart", { downMs: 0 });
    await waitForNextEvent(simulator, "world.ready");
    expect(simulator.game.bootId).not.toBe(bootId);
    expect(simulator.world.save.saveId).toBe(saveId);
    const kinds = kindsOf(simulator.buffer.log.slice(from));
    expect(kinds).not.toContain("world.wiped");
    expect(kinds.slice(0, 4)).toEqual([
      "server.status",
      "server.status",
      "server.hello",
      "world.ready",
    ]);
  });

  it("a crash sends no events", async () => {
    const simulator = await start();
    const from = simulator.buffer.log.length;
    simulator.faults.trigger("away", { crash: true });
    expect(survivalEventsSince(simulator, from)).toEqual([]);
    expect(onlinePlayers(simulator.world)).toEqual([]);
  });

  it("the fault olderSave restores a save of the day before, or a given former save", async () => {
    const simulator = await start();
    const { saveId } = simulator.world.save;
    simulator.faults.trigger("olderSave");
    expect(lastOf(simulator, "server.hello").payload).toMatchObject({
      world: { saveCreatedAt: saveId - 86_400_000 },
    });
    simulator.faults.trigger("olderSave", { saveId });
    expect(lastOf(simulator, "server.hello").saveId).toBe(saveId);
    expect(kindsOf(simulator.buffer.log)).not.toContain("world.wiped");
    expect(() => simulator.faults.trigger("olderSave", { saveId: 1 })).toThrow(
      "saveId must be one of a save that was",
    );
  });

  it("the fault freeze delays a command, which has one effect when it is repeated after the freeze", async () => {
    const simulator = await start();
    simulator.faults.trigger("freeze", { ms: 600_000, patienceMs: 10 });
    const say = () => post(simulator, "/v1/announce", announcement, "k");
    expect(await say()).toEqual(refused(503, "SHARD_DOWN"));
    expect(timesOf(simulator, "announced")).toEqual({});
    simulator.faults.clear();
    simulator.game.thaw();
    expect(await say()).toEqual({ status: 200, body: { delivered: 12 } });
    expect(timesOf(simulator, "announced")).toEqual({ k: 1 });
  });

  it("the faults helperMissing and incapable are reported in server.hello", async () => {
    const simulator = await start();
    simulator.faults.trigger("helperMissing", { helper: "zones" });
    const { helpers } = lastOf(simulator, "server.hello").payload as { helpers: unknown[] };
    expect(helpers[0]).toMatchObject({ id: "zones", loaded: false });
    expect(lastOf(simulator, "plugin.unloaded").payload).toMatchObject({ helperId: "zones" });
    simulator.faults.trigger("incapable", { capabilities: ["map", "zones"] });
    const { capabilities } = lastOf(simulator, "server.hello").payload;
    expect(capabilities).not.toContain("zones");
    expect(capabilities).toContain("perm");
  });

  it("the fault driftInventory changes permissions without an event", async () => {
    const simulator = await start();
    const from = simulator.buffer.log.length;
    const held = () => {
      const { users } = simulator.world.permissions;
      return [...(users.get(findPlayerByIndex(simulator, 0).steamId)?.permissions ?? [])];
    };
    const before = held();
    simulator.faults.trigger("driftInventory", { count: 1 });
    expect(simulator.buffer.log).toHaveLength(from);
    expect(held()).toEqual([...before.slice(1), "vanish.allow"]);
    const { groups } = simulator.world.permissions;
    expect([...(groups.get("oldvip")?.permissions ?? [])]).toEqual(["vanish.allow"]);
    expect(groups.has("byhand")).toBe(true);
  });

  it("the fault tornInventory omits the last page", async () => {
    const simulator = await start();
    simulator.faults.trigger("tornInventory");
    const first = waitForNextEvent(simulator, "perm.inventory");
    await getControlRoute(simulator, "/v1/perm/inventory");
    await first;
    const pages = simulator.buffer.log.filter(({ kind }) => kind === "perm.inventory");
    expect(pages[0]?.payload["pages"]).toBe(pages.length + 1);
  });
});

describe("faults of a configuration write", () => {
  const write = async (simulator: Awaited<ReturnType<typeof start>>, writeId: string) => {
    const { hash } = (await getControlRoute(simulator, "/v1/config/Backpacks")).body as {
      hash: string;
    };
    const body = { writeId, text: `{"of": "${writeId}"}`, baseHash: hash };
    return put(simulator, "/v1/config/Backpacks", body);
  };

  it("the mode failed reports the failure and a rollback", async () => {
    const simulator = await start();
    simulator.faults.trigger("configOutcome", { mode: "failed" });
    const settled = waitForNextEvent(simulator, "config.outcome");
    await write(simulator, "w1");
    await settled;
    expect(lastOf(simulator, "config.outcome").payload).toMatchObject({
      ok: false,
      message: "the plugin threw in Init()",
      rolledBack: true,
    });
  });

  it("the mode late delays the reported outcome, and the mode missing suppresses it", async () => {
    const simulator = await start();
    const settled = () =>
      simulator.buffer.log
        .filter(({ kind }) => kind === "config.outcome")
        .map(({ payload }) => payload["writeId"]);
    const both = new Promise<void>((resolve) => {
      simulator.buffer.onAppend(() => {
        if (settled().length === 2) resolve();
      });
    });
    simulator.faults.trigger("configOutcome", { mode: "missing" });
    await write(simulator, "missing");
    simulator.faults.trigger("configOutcome", { mode: "late", ms: 200 });
    const before = performance.now();
    await write(simulator, "late");
    await write(simulator, "sound");
    await both;
    expect(performance.now() - before).toBeGreaterThan(190);
    expect(new Set(settled())).toEqual(new Set(["late", "sound"]));
    expect(timesOf(simulator, "config.written")).toEqual({ missing: 1, late: 1, sound: 1 });
  });

  it("a crash of the game loses the outcome", async () => {
    const simulator = await start({ reloadMs: 300 });
    await write(simulator, "lost");
    simulator.faults.trigger("restart", { downMs: 0, crash: true });
    await waitForNextEvent(simulator, "world.ready");
    // Outcomes come in the order of their writes, so an outcome of the lost write would arrive before the outcome
    // of this write.
    const settled = waitForNextEvent(simulator, "config.outcome");
    await write(simulator, "sound");
    await settled;
    const outcomes = simulator.buffer.log.filter(({ kind }) => kind === "config.outcome");
    expect(outcomes.map(({ payload }) => payload["writeId"])).toEqual(["sound"]);
  });
});

describe("faults of the control plane", () => {
  it("the fault status answers 500 either without running the command or after it has run", async () => {
    const simulator = await start();
    const aim = { method: "POST", path: "/v1/announce" };
    simulator.faults.trigger("status", aim);
    expect(await post(simulator, "/v1/announce", announcement, "a")).toEqual(
      refused(500, "INTERNAL"),
    );
    simulator.faults.trigger("status", { ...aim, carryOut: true });
    expect((await post(simulator, "/v1/announce", announcement, "b")).status).toBe(500);
    expect((await post(simulator, "/v1/announce", announcement, "b")).status).toBe(200);
    expect(timesOf(simulator, "announced")).toEqual({ b: 1 });
  });

  it("the fault cut breaks off the answer of a command that ran, and a repetition gets the stored answer", async () => {
    const simulator = await start();
    simulator.faults.trigger("cut", { path: "/v1/announce" });
    await expect(post(simulator, "/v1/announce", announcement, "k")).rejects.toThrow("terminated");
    expect(await post(simulator, "/v1/announce", announcement, "k")).toMatchObject({ status: 200 });
    expect(timesOf(simulator, "announced")).toEqual({ k: 1 });
  });

  it("the fault slow delays an answer, and vanish closes the port for a while", async () => {
    const simulator = await start();
    simulator.faults.trigger("slow", { path: "/v1/health", ms: 30 });
    expect((await getControlRoute(simulator, "/v1/health")).status).toBe(200);
    simulator.faults.trigger("vanish", { ms: 0 });
    await expect(getControlRoute(simulator, "/v1/health")).rejects.toThrow("fetch failed");
    await simulator.comeBack();
    expect((await getControlRoute(simulator, "/v1/health")).status).toBe(200);
  });

  it("the fault badMap sends a map whose bytes do not match its hash", async () => {
    const simulator = await start();
    const headers = {
      authorization: `Bearer ${simulator.token}`,
      "x-bridge-protocol": "13",
      "x-request-id": "r",
    };
    const fetched = async () => {
      const response = await fetch(`${simulator.baseUrl}/v1/map/fetch`, {
        method: "POST",
        headers,
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      const named = response.headers.get("x-map-hash");
      const isNamed = createHash("sha256").update(bytes).digest("hex") === named;
      return { status: response.status, named, isNamed };
    };
    simulator.faults.trigger("badMap");
    const spoiled = await fetched();
    const sound = await fetched();
    expect(sound).toEqual({ status: 200, named: sound.named, isNamed: true });
    expect(spoiled).toEqual({ status: 200, named: sound.named, isNamed: false });
  });

  it("the fault limit refuses a command, and a request for an unknown fault is rejected", async () => {
    const simulator = await start();
    simulator.faults.trigger("limit");
    expect(await post(simulator, "/v1/announce", announcement)).toEqual(refused(429, "LIMIT"));
    const unknown = await callSim(simulator, "POST", "/faults", { fault: "signupMode" });
    expect(unknown.status).toBe(400);
    expect(JSON.stringify(unknown.body)).toContain("olderSave");
    const odd = await callSim(simulator, "POST", "/faults", { fault: "npcApi", version: "3" });
    expect(odd.body).toEqual({
      code: "INVALID",
      field: "fault",
      reason: "version must be as in 3",
    });
  });
});

describe("the file that stores the buffer", () => {
  it("keeps the epoch, the world's id, answers and effects across a restart", async () => {
    const folder = mkdtempSync(join(tmpdir(), "survival-"));
    const bufferFile = join(folder, "buffer.jsonl");
    const first = await start({ bufferFile });
    first.turn({ turn: "wipe" });
    const { saveId } = first.world.save;
    const answer = await post(first, "/v1/announce", announcement, "k");
    const { epoch, head } = first.buffer;
    await first.stop();
    const second = await start({ bufferFile, clock: () => noon + 3_600_000 });
    expect(second.world.save.saveId).toBe(saveId);
    expect(second.buffer.epoch).toBe(epoch);
    expect(second.buffer.log[head]).toMatchObject({ kind: "server.status", seq: head + 1, saveId });
    expect(await post(second, "/v1/announce", announcement, "k")).toEqual(answer);
    expect(timesOf(second, "announced")).toEqual({ k: 1 });
    rmSync(folder, { recursive: true });
  });

  it("keeps the counters of players across a restart, so that no counter decreases", async () => {
    const folder = mkdtempSync(join(tmpdir(), "survival-"));
    const bufferFile = join(folder, "buffer.jsonl");
    const first = await start({ bufferFile });
    const { steamId } = findPlayerByIndex(first, 1);
    first.turn({ turn: "tally", steamId, stats: { npcKills: 1_234_567 }, playtimeSec: 7_654_321 });
    first.happen(50);
    first.game.tellChangedTallies();
    const before = new Map(first.world.save.tallies);
    await first.stop();
    const second = await start({ bufferFile, clock: () => noon + 3_600_000 });
    expect(second.world.save.tallies).toEqual(before);
    expect(second.world.save.tallies.get(steamId)).toMatchObject({ playtimeSec: 7_654_321 });
    second.turn({ turn: "wipe" });
    await second.stop();
    const third = await start({ bufferFile, clock: () => noon + 7_200_000 });
    expect(third.world.save.tallies).toEqual(new Map());
    rmSync(folder, { recursive: true });
  });
});
