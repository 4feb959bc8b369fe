import { setTimeout as sleep } from "node:timers/promises";

import { Client } from "pg";
import { Registry } from "prom-client";
import { Op } from "sequelize";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { clockNowPlus } from "../../models/queries/clock.ts";
import { registerIngestMetrics } from "../../shared/ops/ingest-metrics.ts";
import { registerSiteMetrics } from "../../shared/ops/site-metrics.ts";
import { createControlClient } from "../../shared/platform/bridge/calls/control.ts";
import {
  acquireSourceOwnership,
  type SourceOwnership,
  OwnershipLostError,
} from "../../shared/platform/ingest/ownership.ts";
import { StateRequester } from "../../shared/platform/ingest/state-requests.ts";
import { startHeartbeat } from "../../shared/platform/job-records/processes.ts";
import { shardStateRequests } from "../../shared/shard/ingest/shard-source.ts";
import { checkPayload } from "../../shared/shard/kinds/kinds.ts";
import { snapshotFamilies } from "../../shared/shard/kinds/live-states.ts";
import { lockMarket } from "../../shared/shard/market/writer.ts";
import { readShardStatus } from "../../shared/shard/public/status.ts";
import { pickStateFields } from "../../shared/shard/states/state-event.ts";
import { type SimulatorAnswer, callControl } from "../simulator/client.ts";
import type { SimulatorOptions } from "../simulator/options.ts";
import { type Simulator, startSimulator } from "../simulator/simulator.ts";
import { frameForms, isStored, strayFrames } from "../simulator/stream/forms.ts";
import { type Vendor, vendorRow } from "../simulator/world/vendors.ts";
import { createTestUser } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { locksHere } from "../support/database/locks-here.ts";
import { query } from "../support/database/query.ts";
import { snapshotRows, type RowSnapshot } from "../support/database/row-snapshot.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { buildShardLink, changeIngestSource, ingestSourceOf } from "../support/factories/shard.ts";
import { callRoute } from "../support/http/call.ts";
import { overSidecar } from "../support/plugin/over-sidecar.ts";
import { linksByPlugin } from "../support/plugin/plugin-link.ts";
import { itInLongLane } from "../support/runner/lane.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import {
  linkSimulator,
  startTestIngest,
  storeShardBatch,
  type TestIngest,
} from "../support/shard/ingest.ts";
import { samples } from "./samples.ts";

let server: TestServer;
let simulator: Simulator;
let running: TestIngest | undefined;

let fresh: RowSnapshot;
beforeAll(async () => {
  server = await startTestServer();
  fresh = await snapshotRows(server.context);
});
afterAll(() => server.stop());
afterEach(async () => {
  await running?.stop();
  running = undefined;
  await simulator?.stop();
  vi.restoreAllMocks();
  await takeChatAgain();
  await fresh.restore();
});

const askConfigAgain = () => query(server, "select pg_notify('shardlink_config', '{}')");

async function start(options: SimulatorOptions = {}): Promise<void> {
  simulator = await startSimulator({ world: "small", seed: 11, ...options });
  await linkSimulator(simulator, server.context);
  running = await startTestIngest(server.context);
  await caughtUp();
}

/** Waits until all events are stored and no requested snapshot is missing. */
async function caughtUp(): Promise<void> {
  await waitUntil("ingest has stored all there is", async () => {
    const source = await ingestSourceOf(server);
    const { epoch, head } = simulator.buffer;
    const isAtHead = source.epoch === epoch && source.seq === head;
    return isAtHead && source.state === "connected" && source.stale.length === 0;
  });
}

const stored = () => storedRows(server.context.models.ShardEvent, ["epoch", "seq", "kind"]);

/** Returns the reasons why frames were refused, oldest first. */
const refusals = () => storedRows(server.context.models.RejectedFrame, ["reason", "detail"]);

async function refusedFor(): Promise<string[]> {
  const reasons = (await refusals()).map(({ reason }) => reason);
  return [...new Set(reasons)].toSorted();
}

/** Functions that return the stored rows of a snapshot family. */
const statesOf = {
  house: () => storedRows(server.context.models.House, ["state"]),
  points: () => storedRows(server.context.models.PointsBoard, ["state"]),
  guild: () => storedRows(server.context.models.Guild, ["state"]),
  governor: () => storedRows(server.context.models.Governor, ["state"]),
};

/** Returns the events that ingest must have stored at the end: repeated keys and lost events are left out. */
function expected(): { epoch: string; seq: number; kind: string }[] {
  const keys = new Set<string>();
  const isNew = (key: string | null) => key === null || (!keys.has(key) && Boolean(keys.add(key)));
  return simulator.buffer.log
    .filter(({ form, lost, eventKey }) => isStored(form) && !lost && isNew(eventKey))
    .map(({ epoch, seq, kind, form }) => ({
      epoch,
      seq,
      kind: form === "unknownKind" ? "shard.mystery" : kind,
    }));
}

describe("ingest", () => {
  it("stores every event once and in order, and reports the link as connected", async () => {
    await start();
    simulator.happen(500);
    await caughtUp();
    expect(await stored()).toEqual(expected());
    const { state, pluginConnected } = await ingestSourceOf(server);
    expect({ state, pluginConnected }).toEqual({ state: "connected", pluginConnected: true });
  });

  it("acknowledges the events that it has committed", async () => {
    await start();
    simulator.happen(50);
    await caughtUp();
    const isAcked = () => simulator.buffer.acked === simulator.buffer.head;
    await waitUntil("the sidecar heard of it", isAcked);
    expect(await stored()).toHaveLength(expected().length);
  });

  it("resumes from its cursor after a stop, without losing or repeating an event", async () => {
    await start();
    simulator.happen(100);
    await caughtUp();
    await running?.stop();
    simulator.happen(100);
    running = await startTestIngest(server.context);
    await caughtUp();
    expect(await stored()).toEqual(expected());
  });

  it("resumes after the socket was dropped, even if the replay repeats stored events", async () => {
    await start();
    simulator.happen(40);
    simulator.faults.trigger("overlap", { count: 20 });
    simulator.faults.trigger("drop", { terminate: true });
    simulator.happen(40);
    await caughtUp();
    expect(await stored()).toEqual(expected());
  });

  it("stores events once if a recreated buffer repeats them", async () => {
    await start();
    simulator.happen(60);
    await caughtUp();
    simulator.faults.trigger("recreate", { repeat: 30 });
    simulator.happen(20);
    await caughtUp();
    expect(await stored()).toEqual(expected());
    expect(new Set((await stored()).map(({ epoch }) => epoch)).size).toBe(2);
  });

  it("reports the time of the newest stored event, not of a later repetition", async () => {
    await start();
    const lastEventAt = async () => {
      const { body } = await callRoute(server, "GET /public/shard/status");
      return (body as { lastEventAt: string }).lastEventAt;
    };
    simulator.emit("chat.message", { text: "the newest" });
    await caughtUp();
    const { ShardEvent } = server.context.models;
    const newest = await ShardEvent.findOne({
      order: [["createdAt", "desc"]],
      rejectOnEmpty: true,
    });
    const where = { eventKey: { [Op.ne]: null } };
    const { eventKey } = await ShardEvent.findOne({ where, rejectOnEmpty: true });
    await running?.stop();
    running = undefined;
    const owner = await ownTheSource();
    await storeShardBatch([{ ...frame, seq: 1, eventKey }], owner, server.context);
    await owner.release();
    expect(await ShardEvent.count({ where: { epoch: frame.epoch } })).toBe(0);
    expect(await lastEventAt()).toBe(newest.createdAt.toISOString());
  });

  it("continues to store events after it failed to read a configuration that an administrator saved", async () => {
    await start();
    const warned = vi.spyOn(server.context.log, "warn");
    await server.context.sequelize.query("alter table shardlink rename to shardlink_away");
    await askConfigAgain();
    const isUnread = ([, text]: unknown[]) =>
      text === "the link to the game server could not be read";
    await waitUntil("the configuration was asked for in vain", () =>
      warned.mock.calls.some(isUnread),
    );
    await server.context.sequelize.query("alter table shardlink_away rename to shardlink");
    simulator.happen(10);
    await caughtUp();
    expect(await stored()).toEqual(expected());
  });

  it(
    "does not connect after it was stopped while it read its configuration",
    overSidecar,
    async () => {
      await start();
      const { sequelize, log } = server.context;
      const saving = await sequelize.transaction();
      await sequelize.query("lock table shardlink", { transaction: saving });
      await askConfigAgain();
      await waitUntil("the configuration is being read", async () => {
        const waiting = `select pid from ${locksHere} where relation = 'shardlink'::regclass`;
        return (await query(server, `${waiting} and not granted`)).length > 0;
      });
      const warned = vi.spyOn(log, "warn");
      const stopped = running?.stop();
      running = undefined;
      await saving.commit();
      await stopped;
      // The next ingest connects only after the stopped one has finished its work.
      running = await startTestIngest(server.context);
      await caughtUp();
      expect(simulator.received.connections).toHaveLength(2);
      expect(warned).not.toHaveBeenCalled();
    },
  );

  it(
    "counts every malformed frame, records it with a reason, and skips it",
    overSidecar,
    async () => {
      await start();
      // Trigger the frames that are no events first, because the oversized frame ends the connection.
      for (const form of [...Object.keys(strayFrames), ...frameForms]) {
        simulator.faults.trigger("frame", { form });
      }
      simulator.happen(20);
      await caughtUp();
      expect(await stored()).toEqual(expected());
      expect(await refusedFor()).toEqual([
        "cursor",
        "depth",
        "gap",
        "json",
        "kind",
        "payload",
        "plugin",
        "schema",
        "size",
        "t",
        "type",
      ]);
    },
  );

  it("stores an event of an unknown kind for staff only", async () => {
    await start();
    simulator.faults.trigger("frame", { form: "unknownKind" });
    await caughtUp();
    const { ShardEvent } = server.context.models;
    const found = await storedRows(ShardEvent, ["reach"], { kind: "shard.mystery" });
    expect(found).toEqual([{ reach: "staff" }]);
  });

  it("stores a time unchanged if it is the largest that the protocol allows", async () => {
    await start();
    simulator.emit("chat.message", { text: "the end of time" }, { t: 2 ** 53 });
    await caughtUp();
    const { ShardEvent } = server.context.models;
    const last = await ShardEvent.findOne({ order: [["t", "desc"]], rejectOnEmpty: true });
    expect([last.kind, last.t]).toEqual(["chat.message", 2 ** 53]);
  });

  it("replaces characters that PostgreSQL cannot store", async () => {
    await start();
    simulator.faults.trigger("frame", { form: "nul" });
    simulator.faults.trigger("frame", { form: "surrogate" });
    await caughtUp();
    const where = { "payload.text": { [Op.like]: "before%" } };
    const found = await server.context.models.ShardEvent.findAll({ where });
    const texts = found.map(({ payload }) => payload["text"]);
    expect(texts).toEqual(["before\ufffdafter", "before\ufffdafter"]);
  });

  it("rejects only the one event that the database refuses", async () => {
    await refuseChat();
    await start();
    simulator.happen(200);
    simulator.emit("chat.message", chat);
    simulator.happen(50);
    await caughtUp();
    expect(await stored()).toEqual(expected().filter(({ kind }) => kind !== "chat.message"));
    expect(await refusedFor()).toEqual(["storage"]);
  });

  it("counts the frames before and after an event once, even if the database refuses the event", async () => {
    await refuseChat();
    const owner = await ownTheSource();
    const { epoch } = frame;
    const repeated = { ...frame, seq: 1, eventKey: "told-before" };
    await storeShardBatch([repeated], owner, server.context);
    await storeShardBatch(
      [
        { ...repeated, seq: 2 },
        { ...frame, seq: 3 },
        { type: "rejected", reason: "json", excerpt: "{", cursor: null, kind: null },
        { type: "gap", epoch, from: 4, to: 6, reason: "dropped" },
        { ...frame, seq: 7 },
        { ...frame, seq: 8, kind: "chat.message", payload: chat },
        { type: "gap", epoch, from: 9, to: 9, reason: "dropped" },
        { ...repeated, seq: 10 },
        { ...frame, seq: 11 },
      ],
      owner,
      server.context,
    );
    await owner.release();
    expect((await stored()).map(({ seq }) => seq)).toEqual([1, 3, 7, 11]);
    const counts = ["received", "duplicates", "rejected", "gaps"] as const;
    expect(await storedRows(server.context.models.IngestSource, counts)).toEqual([
      { received: 8, duplicates: 2, rejected: 2, gaps: 2 },
    ]);
    expect(await refusals()).toEqual([
      { reason: "json", detail: null },
      { reason: "storage", detail: "no" },
    ]);
  });
});

const chat = { channel: "General", name: "A", serial: "0x0000A001", text: "x" };

const refuseChat = () =>
  server.context.sequelize.query(`
    create function refuse_chat() returns trigger language plpgsql as
      'begin raise exception ''no'' using errcode = ''22023''; end';
    create trigger refuse_chat before insert on shard_events for each row
      when (new.kind = 'chat.message') execute function refuse_chat();`);

const takeChatAgain = () =>
  server.context.sequelize.query("drop function if exists refuse_chat cascade");

const raiseFence = () =>
  server.context.models.IngestSource.increment("fence", { where: { source: "shard" } });

function ownTheSource(): Promise<SourceOwnership> {
  const { config, log } = server.context;
  const { signal } = new AbortController();
  return acquireSourceOwnership({ url: config.DATABASE_URL, source: "shard", log, signal });
}

describe("the ingest process that owns an event source", () => {
  const owner = ownTheSource;

  it("is the only owner, and a second process waits and takes over when the first process leaves", async () => {
    const first = await owner();
    let second: SourceOwnership | undefined;
    const said = vi.spyOn(server.context.log, "info");
    const waiting = owner().then((taken) => (second = taken));
    const standingBy = [{ source: "shard" }, "standing by: another process owns the source"];
    await waitUntil("it stands by", () => said.mock.calls.length > 0);
    expect(said.mock.calls).toEqual([standingBy]);
    expect(second).toBeUndefined();
    await first.release();
    const taken = await waiting;
    expect(taken.fence).toBe(first.fence + 1);
    await taken.release();
  });

  it("loses its connection when it is suspended, and its later writes are not stored", async () => {
    const paused = await owner();
    // Keep a transaction open without heartbeats, as a paused process does.
    const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
    const interrupted = paused.runTransaction(async (sql) => {
      await sql.query("select 1");
      await resumed;
    });
    const next = await owner();
    resume();
    await expect(interrupted).rejects.toThrow(/connection/i);
    const event = { ...frame, seq: 1 };
    await expect(storeShardBatch([event], paused, server.context)).rejects.toThrow(
      /connection|terminat|owns/i,
    );
    expect(await storeShardBatch([event], next, server.context)).toEqual({
      epoch: frame.epoch,
      seq: 1,
    });
    expect(await stored()).toEqual([{ epoch: frame.epoch, seq: 1, kind: frame.kind }]);
    await next.release();
    await paused.release();
  });

  it("keeps the source during long work, and counts as alive even while its heartbeats must wait", async () => {
    await linkSimulator(
      { baseUrl: "http://sidecar", wsUrl: "ws://sidecar", token: "x" },
      server.context,
    );
    const busy = await owner();
    await changeIngestSource(server, { state: "connected" });
    const standby = new AbortController();
    const { config, log } = server.context;
    const { signal } = standby;
    const waiting = acquireSourceOwnership({
      url: config.DATABASE_URL,
      source: "shard",
      log,
      signal,
    });
    const tried = await busy.runTransaction(async (sql) => {
      await changeIngestSource(server, { beatAt: clockNowPlus(-3_600_000) });
      await sql.query("select pg_sleep(2.5)");
      return readShardStatus(server.context.sequelize);
    });
    expect(tried.status).toBe("connected");
    standby.abort();
    await expect(waiting).rejects.toThrow("aborted");
    expect(busy.lost.aborted).toBe(false);
    await busy.release();
  });

  it("keeps the source while another process locks the market, and stores a vendor afterwards", async () => {
    const { config, log } = server.context;
    const { signal } = new AbortController();
    const patience = { url: config.DATABASE_URL, patienceMs: 1_000, source: "shard", log, signal };
    const impatient = await acquireSourceOwnership(patience);
    const kind = "vendor.upsert";
    const listedVendors = () => storedRows(server.context.models.Vendor, ["listed"]);
    const upsert = { ...frame, seq: 1, kind, payload: samples[kind] };
    const renaming = new Client(config.DATABASE_URL);
    await renaming.connect();
    await renaming.query("begin");
    await lockMarket(renaming);
    const storing = storeShardBatch([upsert], impatient, server.context);
    await sleep(2_500);
    expect(await listedVendors()).toEqual([]);
    await renaming.end();
    expect(await storing).toEqual({ epoch: frame.epoch, seq: 1 });
    expect(await listedVendors()).toEqual([{ listed: true }]);
    expect(impatient.lost.aborted).toBe(false);
    await impatient.release();
  });

  it("stores nothing after another process has taken over, even if its connection is still open", async () => {
    const stale = await owner();
    await raiseFence();
    await expect(storeShardBatch([{ ...frame, seq: 1 }], stale, server.context)).rejects.toThrow(
      OwnershipLostError,
    );
    expect(await stored()).toEqual([]);
    await stale.release();
  });

  it("records the game process only for its own source", async () => {
    const { config, log, models } = server.context;
    await models.IngestSource.create({ source: "other" });
    const { signal } = new AbortController();
    const other = await acquireSourceOwnership({
      url: config.DATABASE_URL,
      source: "other",
      log,
      signal,
    });
    await storeShardBatch(
      [{ type: "plugin", connected: true, bootId: "life" }],
      other,
      server.context,
    );
    expect(await storedRows(models.IngestSource, ["source", "bootId"])).toEqual([
      { source: "other", bootId: "life" },
      { source: "shard", bootId: null },
    ]);
    await other.release();
  });

  it("does not change stored links after another process has taken over", async () => {
    const { userId } = await createTestUser(server);
    const updatedAt = clockNowPlus(-86_400_000);
    await buildShardLink(server, { account: "kept", userId, updatedAt });
    simulator = await startSimulator({ world: "small", seed: 11 });
    const stale = await ownTheSource();
    await raiseFence();
    const { log } = server.context;
    const warned = vi.spyOn(log, "warn");
    const followUp = new StateRequester(stale, shardStateRequests(server.context), log);
    followUp.setControl(createControlClient({ ...simulator, protocol: 8 }));
    followUp.handleStored([{ type: "plugin", connected: true, bootId: null }]);
    const isRefused = ([given]: unknown[]) =>
      (given as { err?: unknown }).err instanceof OwnershipLostError;
    await waitUntil("it is told that the source is lost", () => warned.mock.calls.some(isRefused));
    expect(await linkedAccounts()).toEqual([{ account: "kept" }]);
    followUp.stop();
    await stale.release();
  });
});

const frame = {
  type: "event",
  epoch: "6f1c3c5e-0000-4000-8000-000000000001",
  bootId: null,
  eventKey: null,
  kind: "champ.progress",
  t: 1_764_200_000_000,
  replay: false,
  payload: { id: "0x40004D21", name: "Despise", level: 1 },
} as const;

describe("live states", () => {
  it("match the shard after its snapshots and all later events", async () => {
    await start();
    simulator.happen(400);
    await caughtUp();
    for (const family of ["house", "points", "guild", "governor"] as const) {
      expect(await heldOf(family)).toEqual(sorted(await familyOf(family)));
    }
  });

  it("have the same market counts as the shard's vendors and listings", async () => {
    await start();
    simulator.happen(400);
    await caughtUp();
    const response = await fetch(`${simulator.simUrl}/rows?family=market`);
    const { rows: truth } = (await response.json()) as { rows: MarketRow[] };
    const open = truth.filter(
      ({ vendor }) => !vendor.hidden && vendor.location?.map !== "Internal",
    );
    const listed = open.flatMap(({ items }) => items.filter(({ price }) => price > 0));
    const meta = await callRoute(server, "GET /public/shard/market/meta");
    expect(meta.body).toMatchObject({ vendors: open.length, items: listed.length });
  });

  it("are streamed when first stored or changed, and not streamed when unchanged", async () => {
    await start();
    const board = { ...samples["points.board"], system: "NewBoard", t: 1 };
    for (const t of [1, 2]) simulator.emit("points.board", { ...board, t });
    simulator.emit("points.board", { ...board, t: 3, players: 9 });
    await caughtUp();
    const { ShardEvent } = server.context.models;
    const reach = await storedRows(ShardEvent, ["reach"], { "payload.system": "NewBoard" });
    expect(reach).toEqual([{ reach: "public" }, { reach: "none" }, { reach: "public" }]);
  });

  const askedFor = () =>
    simulator.received.calls.filter(({ path }) => path === "/v1/resync").length;

  it("are requested in full after the game was restarted while ingest was stopped", async () => {
    await start();
    await running?.stop();
    const [asked, boot] = [askedFor(), simulator.game.bootId];
    simulator.faults.trigger("restart", { downMs: 1 });
    const isAnother = () => simulator.game.running && simulator.game.bootId !== boot;
    await waitUntil("the game is back", isAnother);
    running = await startTestIngest(server.context);
    await waitUntil("the states are asked for", () => askedFor() > asked);
    await caughtUp();
    expect((await stored()).filter(({ kind }) => kind.endsWith(".snapshot.end")).length).toBe(10);
  });

  it("are requested again if the request after a gap failed", async () => {
    await start();
    simulator.faults.trigger("status", { method: "POST", path: "/v1/resync", status: 500 });
    const asked = askedFor();
    simulator.faults.trigger("gap", { count: 40 });
    simulator.happen(1);
    await waitUntil("the states are asked for in vain", () => askedFor() > asked);
    const { stale } = await ingestSourceOf(server);
    expect(stale.toSorted()).toEqual(["governor", "guild", "house", "market", "points"]);
    simulator.faults.trigger("drop");
    await caughtUp();
    expect(await heldOf("house")).toEqual(sorted(await familyOf("house")));
  });

  it("keep entries that a snapshot lacks if events were lost during the snapshot", async () => {
    await start();
    const id = "snap-1";
    const kept = await server.context.models.Governor.count();
    simulator.emit("governor.snapshot.begin", { snapshotId: id, pages: 1, count: 0 });
    simulator.faults.trigger("gap", { count: 1 });
    simulator.emit("governor.snapshot.page", { snapshotId: id, page: 1, rows: [] });
    simulator.emit("governor.snapshot.end", { snapshotId: id });
    await caughtUp();
    expect(await server.context.models.Governor.count()).toBe(kept);
  });

  it("are not changed by an incomplete snapshot", async () => {
    await start();
    await caughtUp();
    const boards = () => storedRows(server.context.models.PointsBoard, ["system", "state"]);
    const before = await boards();
    for (const form of ["noEnd", "missingPage", "wrongCount"] as const) {
      simulator.faults.trigger("tear", { family: "points", form });
      await caughtUp();
    }
    expect(await boards()).toEqual(before);
  });

  it("drop entries that a complete snapshot lacks, and keep entries that changed since it began", async () => {
    await start();
    const id = "snap-1";
    const board = (system: string) => ({ ...samples["points.board"], system });
    simulator.emit("points.board", board("Gone"));
    simulator.emit("points.snapshot.begin", { snapshotId: id, pages: 1, count: 1 });
    simulator.emit("points.board", board("Touched"));
    simulator.emit("points.snapshot.page", { snapshotId: id, page: 1, rows: [board("Kept")] });
    simulator.emit("points.snapshot.end", { snapshotId: id });
    await caughtUp();
    const systems = await storedRows(server.context.models.PointsBoard, ["system"]);
    expect(systems).toEqual([{ system: "Kept" }, { system: "Touched" }]);
  });

  it("list the online characters, and no characters once the game is away", async () => {
    await start();
    const online = simulator.world.online.size;
    await waitUntil("the list is known", async () => (await characters()).length === online);
    simulator.faults.trigger("away");
    await waitUntil("the list is empty", async () => (await characters()).length === 0);
    const isAway = async () => !(await readShardStatus(server.context.sequelize)).pluginConnected;
    await waitUntil("the game is known to be away", isAway);
    const status = await callRoute(server, "GET /public/shard/status");
    expect(status.body).toMatchObject({
      // The plugin runs in the game, so its link is connected only while the game runs.
      status: linksByPlugin ? "reconnecting" : "connected",
      pluginConnected: false,
      onlineCount: 0,
    });
  });

  it("leave out links of users unknown to the site, whose logins only staff see", async () => {
    const { userId } = await createTestUser(server);
    const owner = await ownTheSource();
    const linked = (seq: number, acct: string, webId: number | null) =>
      ({ ...frame, seq, kind: "account.linked", payload: { acct, webId } }) as const;
    const login = (seq: number, acct: string) => {
      const payload = { serial: `0x0000000${seq}`, name: acct, acct };
      return { ...frame, seq, kind: "presence.login", payload } as const;
    };
    await storeShardBatch(
      [
        linked(1, "stranger", 9_999_999),
        login(2, "Stranger"),
        linked(3, "nobody", null),
        login(4, "nobody"),
        linked(5, "maple", userId),
        login(6, "Maple"),
      ],
      owner,
      server.context,
    );
    await owner.release();
    const { models } = server.context;
    const logins = { kind: "presence.login" };
    expect(await storedRows(models.ShardEvent, ["seq", "reach"], logins)).toEqual([
      { seq: 2, reach: "staff" },
      { seq: 4, reach: "staff" },
      { seq: 6, reach: "public" },
    ]);
    expect(await linkedAccounts()).toEqual([{ account: "maple" }]);
    expect(await storedRows(models.IngestSource, ["rejected", "unknownLinks"])).toEqual([
      { rejected: 0, unknownLinks: 1 },
    ]);
  });

  it("count links to unknown users, and the metrics show the count", async () => {
    await start();
    const registry = new Registry();
    registerIngestMetrics(registry, {
      get counts() {
        return new Map([["shard", running?.ingest.stats ?? null]]);
      },
    });
    const row = await startHeartbeat(server.context, "ingest");
    registerSiteMetrics(registry, row.id, server.context);
    simulator.emit("account.linked", { acct: "stranger", webId: 9_999_999 });
    simulator.emit("account.linked", { acct: "nobody", webId: null });
    await waitUntil("they are counted", async () =>
      /^guildhall_ingest_unknown_links_total 1$/m.test(await registry.metrics()),
    );
    const shown = await registry.metrics();
    await row.stop();
    expect(shown).toMatch(/^guildhall_ingest_owner\{source="shard"\} 1$/m);
    expect(shown).toMatch(/^guildhall_ingest_rejected_total 0$/m);
  });

  it("contain the shard's list of links after it connects, and no other links", async () => {
    const { userId } = await createTestUser(server);
    const updatedAt = clockNowPlus(-86_400_000);
    await buildShardLink(server, { account: "stale", userId, updatedAt });
    const probe = await startSimulator({ world: "small", seed: 11 });
    const [linked = "", other = ""] = probe.world.accounts.values().map(({ name }) => name);
    await probe.stop();
    await start({
      links: [
        { account: linked, userId },
        { account: other, userId: 9_999_999 },
      ],
    });
    const isGone = async () => (await linkedAccounts())[0]?.account === linked;
    await waitUntil("the stale link is gone", isGone);
    expect(await linkedAccounts()).toEqual([{ account: linked }]);
  });
});

describe("a crash that resets the world to its last save", () => {
  /** Creates two users. The first one has a game account that is in the world's last save. */
  async function startSaved(): Promise<readonly [number, number]> {
    const [{ userId: one }, { userId: other }] = [
      await createTestUser(server),
      await createTestUser(server),
    ];
    await start({ links: [{ account: "maple", userId: one }] });
    simulator.faults.trigger("save");
    return [one, other];
  }

  const open = (account: string, userId: number): Promise<SimulatorAnswer> => {
    const body = { account, password: "open sesame", ip: "127.0.0.1" };
    const actor = { userId, username: "somebody", role: "player" };
    return callControl(simulator, "POST", "/v1/accounts", { body, actor });
  };

  async function crash(): Promise<void> {
    const boot = simulator.game.bootId;
    simulator.faults.trigger("restart", { downMs: 1, crash: true });
    const isAnother = () => simulator.game.running && simulator.game.bootId !== boot;
    await waitUntil("the game is back", isAnother);
  }

  const mirror = () => storedRows(server.context.models.ShardLink, ["account", "userId"]);

  async function mirrorBecomes(links: readonly (readonly [string, number])[]): Promise<void> {
    const wanted = JSON.stringify(links.map(([account, userId]) => ({ account, userId })));
    const isSo = async () => JSON.stringify(await mirror()) === wanted;
    await waitUntil(`the mirror is ${wanted}`, isSo);
  }

  it("does not affect earlier events, and later events with the same keys are stored as new events", async () => {
    const [one, other] = await startSaved();
    await open("tulip", one);
    await caughtUp();
    await crash();
    expect(await open("tulip", other)).toEqual({
      status: 201,
      body: { account: "tulip", linked: true },
    });
    await caughtUp();
    expect(await stored()).toEqual(expected());
    const made = await storedRows(server.context.models.ShardEvent, ["eventKey", "bootId"], {
      kind: "account.created",
      "payload.acct": "tulip",
    });
    expect(new Set(made.map(({ eventKey }) => eventKey)).size).toBe(2);
    expect(made.at(-1)?.bootId).toBe(simulator.game.bootId);
    expect(new Set(made.map(({ bootId }) => bootId)).size).toBe(2);
    await mirrorBecomes([
      ["maple", one],
      ["tulip", other],
    ]);
  });

  it("ends the links of accounts that no longer exist, and no other links", async () => {
    const [one, other] = await startSaved();
    await open("tulip", other);
    await mirrorBecomes([
      ["maple", one],
      ["tulip", other],
    ]);
    await crash();
    await mirrorBecomes([["maple", one]]);
    expect(await mirror()).toEqual([{ account: "maple", userId: one }]);
  });

  itInLongLane(
    "ends the links of lost accounts even if it is replayed after the list of links was requested",
    async () => {
      const [one, other] = await startSaved();
      await mirrorBecomes([["maple", one]]);
      await running?.stop();
      simulator.happen(3_000);
      await open("tulip", other);
      await crash();
      simulator.faults.trigger("hold", { method: "GET", path: "/v1/links" });
      running = await startTestIngest(server.context);
      await caughtUp();
      simulator.faults.trigger("release");
      const told = { kind: "account.linked" };
      expect(await server.context.models.ShardEvent.count({ where: told })).toBeGreaterThan(0);
      await mirrorBecomes([["maple", one]]);
    },
  );

  it("discards a snapshot from before the crash, even if the snapshot is replayed later", async () => {
    await startSaved();
    await running?.stop();
    simulator.happen(400);
    const ends = () => simulator.buffer.log.filter(({ kind }) => kind.endsWith(".snapshot.end"));
    const told = ends().length;
    await callControl(simulator, "POST", "/v1/resync", { body: { families: snapshotFamilies } });
    await waitUntil(
      "the states are told whole",
      () => ends().length === told + snapshotFamilies.length,
    );
    await crash();
    simulator.faults.trigger("status", { method: "POST", path: "/v1/resync", status: 423 });
    running = await startTestIngest(server.context);
    await caughtUp();
    expect(await heldOf("house")).toEqual(sorted(await familyOf("house")));
  });

  it("leads to states and a market that match the shard, even if serials are reused", async () => {
    await startSaved();
    simulator.happen(400);
    await caughtUp();
    await crash();
    simulator.happen(400);
    await caughtUp();
    for (const family of ["house", "guild"] as const) {
      expect(await heldOf(family)).toEqual(sorted(await familyOf(family)));
    }
    const columns = ["vendorSerial", "serial", "itemId", "price", "amount"] as const;
    const listed = await storedRows(server.context.models.Listing, columns);
    expect(listed).toEqual(listingsOf(simulator));
  });

  it("lets the market sell another item under a reused serial", async () => {
    await startSaved();
    const vendor = simulator.world.vendors.values().find((one) => isOpen(one) && one.items[0]);
    if (!vendor) throw new Error("no vendor of the world is open");
    const serial = simulator.world.serials.item();
    const offer = (itemId: number): void => {
      const row = vendorRow(vendor);
      const [item] = row["items"] as object[];
      simulator.emit("vendor.upsert", { ...row, items: [{ ...item, serial, itemId, price: 77 }] });
    };
    offer(3_922);
    await caughtUp();
    await crash();
    await caughtUp();
    offer(5_042);
    await caughtUp();
    const kept = { serial: Number(serial), price: 77 };
    expect(await storedRows(server.context.models.Listing, ["itemId"], kept)).toEqual([
      { itemId: 5_042 },
    ]);
  });

  it("ends the ban of an account that is created again", async () => {
    const [one, other] = await startSaved();
    await open("tulip", one);
    await callControl(simulator, "POST", "/v1/ban", {
      body: { account: "tulip", durationSec: 0, reason: "scripting" },
    });
    const { Punishment } = server.context.models;
    const bans = () => storedRows(Punishment, ["endedAt"], { accountKey: "tulip" });
    await waitUntil("the ban is known", async () => (await bans()).length === 1);
    await crash();
    await open("Tulip", other);
    const isOver = async () => Boolean((await bans())[0]?.endedAt);
    await waitUntil("the ban is over", isOver);
    expect(await bans()).toEqual([{ endedAt: expect.any(Date) }]);
  });
});

/** Returns the listings of the shard, by serial. */
function listingsOf({ world }: Simulator): object[] {
  return world.vendors
    .values()
    .filter(isOpen)
    .flatMap(({ serial, items }) =>
      items
        .filter(({ price }) => price > 0)
        .map(({ serial: item, itemId, price, amount }) => {
          const vendorSerial = Number(serial);
          return { vendorSerial, serial: Number(item), itemId, price, amount };
        }),
    )
    .toSorted((one, next) => one.vendorSerial - next.vendorSerial || one.serial - next.serial);
}

const isOpen = ({ hidden, place }: Vendor): boolean => !hidden && place.map !== "Internal";

interface MarketRow {
  readonly vendor: { readonly hidden?: boolean; readonly location?: { readonly map: string } };
  readonly items: readonly { readonly price: number }[];
}

const characters = () => storedRows(server.context.models.OnlineCharacter, ["serial"]);

const linkedAccounts = () => storedRows(server.context.models.ShardLink, ["account"]);

/** Returns the stored rows of a family, sorted by their text. */
async function heldOf(family: keyof typeof statesOf): Promise<object[]> {
  return sorted((await statesOf[family]()).map(({ state }) => state));
}

async function familyOf(family: string): Promise<object[]> {
  const response = await fetch(`${simulator.simUrl}/rows?family=${family}`);
  const { rows: truth } = (await response.json()) as { rows: Record<string, unknown>[] };
  return truth.map((row) => {
    const checked = checkPayload(family === "points" ? "points.board" : `${family}.upsert`, row);
    return "payload" in checked ? pickStateFields(checked.payload) : row;
  });
}

const sorted = (list: readonly object[]): object[] =>
  list
    .map((item) => JSON.stringify(item, Object.keys(item).toSorted()))
    .toSorted()
    .map((text) => JSON.parse(text) as object);
