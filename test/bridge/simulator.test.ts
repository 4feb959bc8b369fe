import { afterEach, describe, expect, it } from "vitest";

import {
  type ControlClient,
  createControlClient,
} from "../../shared/platform/bridge/calls/control.ts";
import {
  type Cursor,
  cursorOfFrame,
  type StreamFrame,
} from "../../shared/platform/bridge/frames.ts";
import { BridgeSocket } from "../../shared/platform/bridge/socket/socket.ts";
import { createLogger } from "../../shared/platform/log.ts";
import * as accountCalls from "../../shared/shard/calls/account-calls.ts";
import { walkAssetKeys } from "../../shared/shard/calls/asset-calls.ts";
import { fetchImages } from "../../shared/shard/calls/asset-images.ts";
import { walkAtlas } from "../../shared/shard/calls/atlas-calls.ts";
import { resolveBodiesCall } from "../../shared/shard/calls/body-calls.ts";
import { walkClilocs } from "../../shared/shard/calls/cliloc-calls.ts";
import * as staffCalls from "../../shared/shard/calls/staff-calls.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { createSimulatorPool } from "../simulator/starting.ts";
import { isStored } from "../simulator/stream/forms.ts";
import { pollUntil } from "./until.ts";

const calls = { ...accountCalls, ...staffCalls };

const { start, stopAll } = createSimulatorPool();
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await stopAll();
});

const timing = { firstRetryMs: 1, lastRetryMs: 20, refusedRetryMs: 5, ackMs: 5 };

/**
 * Connects a client that stores the frames in memory as the service stores them in the database.
 */
function consume(simulator: Simulator) {
  const frames: StreamFrame[] = [];
  let stored: Cursor | null = null;
  const socket = new BridgeSocket({
    cursor: () => Promise.resolve(stored),
    log: createLogger("test", "silent"),
    timing,
  });
  const { wsUrl, token } = simulator;
  socket.restart({ wsUrl, token, protocol: 8 });
  const running = (async () => {
    for (;;) {
      const batch = await socket.nextBatch(50);
      frames.push(...batch);
      stored = batch.map(cursorOfFrame).findLast(Boolean) ?? stored;
      socket.committed(stored);
    }
  })();
  const ended = running.catch(() => undefined);
  closing.push(() => socket.stop().then(() => ended));
  return { frames, socket, cursor: () => stored };
}

const controlOf = ({ baseUrl, token }: Simulator, protocol = 8): ControlClient => {
  const control = createControlClient({ baseUrl, token, protocol }, { callMs: 20_000 });
  closing.push(control.close);
  return control;
};

/** Returns true if the client has received all events of the sidecar. */
const isCaughtUp = ({ buffer }: Simulator, cursor: Cursor | null) =>
  buffer.head === 0 || (cursor?.epoch === buffer.epoch && cursor.seq === buffer.head);

const placesOf = (frames: readonly StreamFrame[]) =>
  frames.flatMap((frame) => (frame.type === "event" ? [`${frame.epoch} ${frame.seq}`] : []));

describe("BridgeSocket with a simulated sidecar", () => {
  it("receives every event once and in order, through every fault of the stream", async () => {
    const simulator = await start({ seed: "storm" });
    const { frames, socket, cursor } = consume(simulator);
    const { faults } = simulator;
    const strikes = [
      () => faults.trigger("drop"),
      () => faults.trigger("hole", { count: 2 }),
      () => faults.trigger("drop", { terminate: true }),
      () => faults.trigger("overlap", { count: 10 }),
      () => faults.trigger("repeat", { count: 7 }),
      () => faults.trigger("gap", { count: 5 }),
      () => faults.trigger("refuse", { status: 423, times: 2 }),
      () => faults.trigger("disorder", { count: 20 }),
      () => faults.trigger("frame", { form: "notJson", count: 3 }),
      () => faults.trigger("frame", { form: "oddGap" }),
      () => faults.trigger("frame", { form: "binary" }),
      () => faults.trigger("frame", { form: "oddKind", count: 2 }),
      () => faults.trigger("frame", { form: "surrogate", count: 2 }),
      () => faults.trigger("frame", { form: "veryDeep" }),
      () => faults.trigger("frame", { form: "oversized" }),
      () => faults.trigger("frame", { form: "huge", count: 2 }),
      () => faults.trigger("refuse", { status: 401, times: 2 }),
      () => faults.trigger("tear", { form: "noEnd" }),
      () => faults.trigger("restart", { downMs: 1 }),
      () => faults.trigger("recreate", { repeat: 20 }),
      () => faults.trigger("vanish", { ms: 20 }),
    ];
    for (const strike of strikes) {
      simulator.happen(25);
      await pollUntil(() => isCaughtUp(simulator, cursor()));
      strike();
      simulator.happen(25);
      faults.trigger("drop");
    }
    await pollUntil(() => isCaughtUp(simulator, cursor()));

    const told = simulator.buffer.log.filter(({ form, lost }) => !lost && isStored(form));
    expect(placesOf(frames)).toEqual(told.map(({ epoch, seq }) => `${epoch} ${seq}`));
    expect(told.length).toBeGreaterThan(strikes.length * 50);
    const texts = frames.flatMap((frame) => (frame.type === "event" ? frame.payload["text"] : []));
    expect(texts.filter((text) => text === "before\uFFFDafter")).toHaveLength(2);
    const lost = frames.filter((frame) => frame.type === "gap");
    expect(lost.map(({ reason, to, from }) => [reason, to - from + 1])).toEqual([
      ["lost", 5],
      ["oversized", 1],
      ["oversized", 1],
    ]);
    expect(socket.status).toMatchObject({ state: "connected", pluginConnected: true });
  });

  it("acknowledges only stored events and sends nothing else", async () => {
    const simulator = await start();
    const { cursor } = consume(simulator);
    for (let round = 0; round < 5; round += 1) {
      simulator.happen(100);
      await pollUntil(() => isCaughtUp(simulator, cursor()));
    }
    await pollUntil(() => simulator.buffer.acked === simulator.buffer.head);
    const seqs = simulator.received.acks.map(({ seq }) => seq);
    expect(seqs).toEqual([...new Set(seqs)].toSorted((one, other) => one - other));
    expect(simulator.received.oddFrames).toEqual([]);
    expect(simulator.received.connections).toHaveLength(1);
  });
});

describe("Control with a simulated sidecar", () => {
  it("reads every account, character and vendor", async () => {
    const simulator = await start();
    const control = controlOf(simulator);
    const names = [...simulator.world.accounts.values()].map(({ name }) => name);
    let vendors = 0;
    for (const account of names) {
      const roster = await control.read(calls.getRosterCall, { params: { account } });
      for (const { serial } of roster.characters) {
        const sheet = await control.read(calls.getCharacterCall, { params: { serial } });
        expect(sheet).toMatchObject({ serial, account });
      }
      vendors += (await control.read(calls.getVendorsCall, { params: { account } })).vendors.length;
    }
    expect(vendors).toBeGreaterThan(0);
    const { links } = await control.read(calls.listLinksCall);
    expect(links).toHaveLength([...simulator.world.links.values()].length);
    expect(await control.read(calls.healthCall)).toMatchObject({
      protocol: 8,
      pluginConnected: true,
    });
    expect((await control.read(calls.listHelpPagesCall)).pages).toHaveLength(
      [...simulator.world.pages.values()].length,
    );
  });

  it("runs commands, and runs a command once if the client repeats its idempotency key", async () => {
    const simulator = await start();
    const control = controlOf(simulator);
    const actor = { userId: 7, username: "mod", role: "moderator" };
    const order = { actor, idempotencyKey: "k1" };
    const body = { lines: ["Hear ye"], durationSec: 600 };
    const entry = await control.command(calls.addTownCrierCall, order, { body });
    expect(await control.command(calls.addTownCrierCall, order, { body })).toEqual(entry);
    expect((await control.read(calls.listTownCrierCall)).entries).toEqual([entry]);
    const other = { body: { ...body, durationSec: 700 } };
    await expect(control.command(calls.addTownCrierCall, order, other)).rejects.toMatchObject({
      kind: "conflict",
      code: "CONFLICT",
    });
    const params = { id: entry.id };
    expect(await control.command(calls.removeTownCrierCall, { actor }, { params })).toEqual({
      id: entry.id,
      removed: true,
    });
    await expect(
      control.command(calls.removeTownCrierCall, { actor }, { params }),
    ).rejects.toMatchObject({ kind: "missing" });
    const families = ["market", "house"];
    await control.command(calls.resyncCall, { actor }, { body: { families } });
    expect(simulator.received.commands.map((each) => [each.key, each.actor])).toEqual([
      ["k1", actor],
      ["k1", actor],
      ["k1", actor],
      [expect.any(String), actor],
      [expect.any(String), actor],
      [expect.any(String), actor],
    ]);
  });

  it.each([
    ["html", "MALFORMED"],
    ["rubbish", "MALFORMED"],
    ["cut", "SHARD_DOWN"],
    ["redirect", "MALFORMED"],
    ["unauthorized", "UNAUTHORIZED"],
    ["protocol", "PROTOCOL"],
    ["status", "UNAVAILABLE"],
    ["oversize", "TOO_LARGE"],
  ] as const)("reports the fault %s as %s", async (fault, code) => {
    const simulator = await start();
    const control = controlOf(simulator);
    simulator.faults.trigger(fault);
    await expect(control.read(calls.healthCall)).rejects.toMatchObject({ code });
    expect(await control.read(calls.healthCall)).toMatchObject({ protocol: 8 });
  });

  it("reports SHARD_DOWN while the game is away and the sidecar runs", async () => {
    const simulator = await start();
    const control = controlOf(simulator);
    simulator.faults.trigger("away");
    await expect(control.read(calls.listLinksCall)).rejects.toMatchObject({
      kind: "unavailable",
      code: "SHARD_DOWN",
    });
  });
});

describe("walkClilocs, walkAssetKeys and walkAtlas over a simulated sidecar", () => {
  const walkers = {
    clilocs: (control: ControlClient) => walkClilocs(control, () => undefined),
    assets: (control: ControlClient) => walkAssetKeys(control, () => undefined),
    atlas: (control: ControlClient) => walkAtlas(control, () => undefined),
  };
  const sources = ["clilocs", "assets", "atlas"] as const;

  it.each(sources)("read all of the %s", async (source) => {
    const control = controlOf(await start());
    const result = await walkers[source](control);
    expect(result).toMatchObject({ ok: true });
    expect(result.records).toBeGreaterThan(50);
  });

  const faults = [
    ["sourceChanged", { after: 0 }, "SOURCE_CHANGED"],
    ["stuckCursor", { form: "repeat" }, "STUCK"],
    ["stuckCursor", { form: "empty" }, "STUCK"],
    ["wrongCounts", { by: 1 }, "INCOMPLETE"],
    ["wrongCounts", { by: -1 }, "INCOMPLETE"],
    ["incomplete", {}, "INCOMPLETE"],
    ["hashing", { after: 0 }, "BUSY"],
    ["hashing", { after: 1 }, "BUSY"],
    ["badPage", {}, "MALFORMED"],
  ] as const;

  it.each(sources.flatMap((source) => faults.map((each) => [source, ...each] as const)))(
    "fail on the %s with the fault %s %j and the error %s",
    async (source, fault, options, code) => {
      const simulator = await start();
      simulator.faults.trigger(fault, { source, ...options });
      expect(await walkers[source](controlOf(simulator))).toMatchObject({ ok: false, code });
    },
  );

  it.each([
    ["status", { path: "/v1/clilocs/entries" }, "UNAVAILABLE"],
    ["status", { path: "/v1/clilocs/entries", status: 422, code: "DISABLED" }, "DISABLED"],
    ["html", { path: "/v1/clilocs/entries" }, "MALFORMED"],
    ["cut", { path: "/v1/clilocs/entries" }, "SHARD_DOWN"],
    ["oversize", { path: "/v1/clilocs/entries" }, "TOO_LARGE"],
    ["protocol", { path: "/v1/clilocs" }, "PROTOCOL"],
  ] as const)(
    "fail on the texts with the fault %s %j and the error %s",
    async (fault, options, code) => {
      const simulator = await start();
      simulator.faults.trigger(fault, options);
      expect(await walkers.clilocs(controlOf(simulator))).toMatchObject({ ok: false, code });
    },
  );

  it("send no request to a game server with protocol 7", async () => {
    const simulator = await start({ protocol: 7 });
    const control = controlOf(simulator, 7);
    expect(await walkers.clilocs(control)).toMatchObject({ code: "NO_SOURCE" });
    expect(await walkers.assets(control)).toMatchObject({ code: "NO_SOURCE" });
    expect(await walkers.atlas(control)).toMatchObject({ code: "DISABLED" });
    expect(simulator.received.calls).toEqual([]);
  });

  it("return keys whose images can be fetched, and corrupted images are rejected", async () => {
    const simulator = await start();
    const control = controlOf(simulator);
    const keys: string[] = [];
    await walkAssetKeys(control, (rows) => void keys.push(...rows.map(([key]) => key)));
    const wanted = [...keys.slice(0, 150), "item:1:3000", "gump:7"];
    const { images, absent, unsupported } = await fetchImages(control, wanted);
    expect(images.map(({ key }) => key).toSorted()).toEqual(keys.slice(0, 150).toSorted());
    expect([...absent, ...unsupported].toSorted()).toEqual(["gump:7", "item:1:3000"]);
    for (const form of ["hash", "bytes", "mime", "base64"]) {
      simulator.faults.trigger("badImage", { form });
      await expect(fetchImages(control, keys.slice(0, 5))).rejects.toMatchObject({
        code: "MALFORMED",
      });
    }
    simulator.faults.trigger("noImaging");
    await expect(fetchImages(control, keys.slice(0, 5))).rejects.toMatchObject({
      kind: "upstream",
      code: "NO_IMAGING",
    });
  });

  it("return creature names, and the body of each can be looked up", async () => {
    const control = controlOf(await start());
    const body = { types: ["Orc", "OrcCamp", "set", "EscortableMage"] };
    expect(await control.read(resolveBodiesCall, { body })).toEqual({
      answers: [
        { type: "Orc", status: "ok", body: 17 },
        { type: "OrcCamp", status: "notCreature", body: null },
        { type: "set", status: "unknown", body: null },
        { type: "EscortableMage", status: "failed", body: null },
      ],
    });
  });
});
