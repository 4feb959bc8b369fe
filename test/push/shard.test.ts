import { Client, type QueryConfig } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import type { PushStream } from "../../shared/facts/streams.ts";
import type { SqlClient } from "../../shared/platform/db/sql.ts";
import { announceEvents } from "../../shared/shard/ingest/announce-events.ts";
import { readIdocSerials } from "../../shared/shard/ingest/shard-game.ts";
import type { StateEvent } from "../../shared/shard/states/state-event.ts";
import { samples } from "../shard/samples.ts";
import { type Simulator, startSimulator } from "../simulator/simulator.ts";
import { houseRow } from "../simulator/world/houses.ts";
import { vendorRow } from "../simulator/world/vendors.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { deleteUser } from "../support/factories/users.ts";
import { callRoute } from "../support/http/call.ts";
import { overSidecar } from "../support/plugin/over-sidecar.ts";
import { type Follower, type PushSite, startPushSite } from "../support/push/push-site.ts";
import { waitUntilLockWaits } from "../support/races/overtake.ts";
import { makeList } from "../support/races/race.ts";
import { startTestWorker, type TestWorker } from "../support/service/worker.ts";
import { linkSimulator, startTestIngest, type TestIngest } from "../support/shard/ingest.ts";

let site: PushSite;
let simulator: Simulator;
let ingest: TestIngest;
let worker: TestWorker;

const publicStreams = [
  "server.status",
  "idoc.warning",
  "champ.start",
  "governor.election",
] as const;
const personalStreams = ["vendor.sale", "house.idoc", "account.login"] as const;

/**
 * Four users: one follows all public streams, the owner and another user follow their personal streams, and one
 * follows nothing.
 */
let everybody: Record<"watcher" | "owner" | "other" | "nobody", Follower>;

beforeAll(async () => {
  site = await startPushSite();
  const follow = (...streams: readonly PushStream[]) => site.follower(streams);
  everybody = {
    watcher: await follow(...publicStreams),
    owner: await follow(...personalStreams),
    other: await follow(...personalStreams),
    nobody: await follow(),
  };
  simulator = await startSimulator({ world: "small" });
  link("Maple", everybody.owner);
  link("birch", everybody.other);
  worker = await startTestWorker(site.server, ["push"]);
  await linkSimulator(simulator, site.server.context);
  ingest = await startTestIngest(site.server.context);
  await untilTakenIn();
});
afterAll(async () => {
  await ingest.stop();
  await worker.stop();
  await simulator.stop();
  await site.stop();
});
beforeEach(async () => {
  await site.settled();
  for (const { device } of Object.values(everybody)) device.received.length = 0;
});

const link = (account: string, { user: { userId } }: Follower): void => {
  simulator.world.links.set(account.toLowerCase(), { account, userId, linkedAt: 1 });
};

/** Waits until all events, links and snapshots are stored. */
async function untilTakenIn(): Promise<void> {
  await waitUntil("it is taken in", async () => {
    const [source] = await site.server.context.models.IngestSource.findAll({ raw: true });
    const { epoch, head } = simulator.buffer;
    const links = await site.server.context.models.ShardLink.count();
    return (
      source?.epoch === epoch && source.seq === head && source.stale.length === 0 && links >= 2
    );
  });
}

interface Heard {
  readonly watcher: unknown[];
  readonly owner: unknown[];
  readonly other: unknown[];
  readonly nobody: unknown[];
}

/** Waits until all messages are sent. @returns the messages of each device so far, sorted */
async function heard(): Promise<Heard> {
  await untilTakenIn();
  await site.settled();
  const listed = Object.entries(everybody).map(([name, { device }]) => [
    name,
    device.payloads
      .map((payload) => Object.values(payload as object).join(" "))
      .toSorted((one, other) => one.localeCompare(other)),
  ]);
  return Object.fromEntries(listed) as Heard;
}

const nothing: Heard = { watcher: [], owner: [], other: [], nobody: [] };

/** Waits until all events are stored. @returns the id of the newest event of a kind */
async function idOf(kind: string): Promise<string> {
  await untilTakenIn();
  const event = await site.server.context.models.ShardEvent.findOne({
    where: { kind },
    order: [["id", "DESC"]],
  });
  return String(event?.id);
}

let minted = 0x0fff_0000;
const serial = (): string => `0x${(++minted).toString(16).toUpperCase().padStart(8, "0")}`;

const decay = (fields: object) =>
  simulator.emit("house.decay", { ...samples["house.decay"], ownerAcct: "MAPLE", ...fields });

describe("a push for a shard event", () => {
  it("goes to the subscribers of IDOC warnings and to the owner if a house is about to collapse (IDOC)", async () => {
    const house = serial();
    decay({ serial: house, stage: "Greatly", from: "Fairly", to: "Greatly" });
    decay({ serial: house, stage: "IDOC", from: "Greatly", to: "IDOC" });
    decay({ serial: house, stage: "Collapsed", from: "IDOC", to: "Collapsed" });
    expect(await heard()).toEqual({
      ...nothing,
      watcher: [`idoc.warning ${house}`],
      owner: [`house.idoc ${house}`],
    });
  });

  it("is sent once to a house owner who subscribes to both streams, in the stream for owners", async () => {
    const house = serial();
    const both = await site.follower(["idoc.warning", "house.idoc"]);
    simulator.emit("account.linked", { acct: "Rowan", webId: both.user.userId, by: "player" });
    decay({ serial: house, stage: "IDOC", from: "Greatly", to: "IDOC", ownerAcct: "rowan" });
    expect(await heard()).toEqual({ ...nothing, watcher: [`idoc.warning ${house}`] });
    expect(both.device.payloads).toEqual([{ stream: "house.idoc", ref: house }]);
  });

  it("goes out each time that a champion spawn begins", async () => {
    const [altar, another] = [serial(), serial()];
    const start = (id: string) => simulator.emit("champ.start", { ...samples["champ.start"], id });
    for (const id of [altar, another, altar]) start(id);
    simulator.emit("champ.progress", { ...samples["champ.progress"], id: altar });
    expect(await heard()).toEqual({
      ...nothing,
      watcher: [`champ.start ${altar}`, `champ.start ${altar}`, `champ.start ${another}`],
    });
  });

  it("goes out once for each phase of a governor election except the last, and once for the result", async () => {
    const ends = Date.now() + 7 * 86_400_000;
    const phase = (name: string, votes: number, city = "Britain") =>
      simulator.emit("governor.election", {
        city,
        phase: name,
        until: ends,
        candidates: [{ serial: "0x00000001", name: "A", votes }],
      });
    for (const votes of [0, 1, 2]) phase("nomination", votes);
    for (const votes of [3, 4]) phase("voting", votes);
    phase("nomination", 0, "Yew");
    phase("ended", 5);
    simulator.emit("governor.result", { ...samples["governor.result"], city: "Britain" });
    expect(await heard()).toEqual({
      ...nothing,
      watcher: [...Array<string>(3).fill("governor.election Britain"), "governor.election Yew"],
    });
  });

  it("goes only to the vendor's owner for a sale, and names the stored sale", async () => {
    const sale = { ...samples["vendor.sale"], ownerAcct: "maple" };
    simulator.emit("vendor.sale", { ...sale, ownerAcct: "stranger" });
    simulator.emit("vendor.sale", { ...sale, ownerAcct: null });
    simulator.emit("vendor.sale", sale);
    const ref = await idOf("vendor.sale");
    expect(await heard()).toEqual({ ...nothing, owner: [`vendor.sale ${ref}`] });
  });

  it("goes to the user who has linked the account if a sign-in to the game succeeds", async () => {
    const login = { ...samples["account.login"], acct: "Birch" };
    simulator.emit("account.login", { ...login, ok: false, reason: "BadPass" });
    simulator.emit("account.login", { ...login, ok: true });
    const ref = await idOf("account.login");
    expect(await heard()).toEqual({ ...nothing, other: [`account.login ${ref}`] });
  });

  it("consists of two messages with the same topic if the game restarts", async () => {
    simulator.faults.trigger("restart", { downMs: 20 });
    await waitUntil("it is back", () => simulator.game.bootId !== null);
    expect(await heard()).toEqual({
      ...nothing,
      watcher: ["server.status shard", "server.status shard"],
    });
    const topics = everybody.watcher.device.received.map(({ headers }) => headers.topic);
    expect(new Set(topics).size).toBe(1);
  });

  it("is sent for a decay event that lacks the former stage only if the stored stage of the house was not IDOC", async () => {
    const [fresh, known] = [serial(), serial()];
    simulator.emit("house.upsert", { ...samples["house.upsert"], serial: known, stage: "IDOC" });
    for (const house of [fresh, known, fresh]) {
      decay({ serial: house, stage: "IDOC", from: null, to: null });
    }
    expect(await heard()).toEqual({
      ...nothing,
      watcher: [`idoc.warning ${fresh}`],
      owner: [`house.idoc ${fresh}`],
    });
  });

  it("goes to the user who owned the account when the event was stored, even if the account changes hands later", async () => {
    const login = () =>
      simulator.emit("account.login", { ...samples["account.login"], acct: "oak" });
    const linked = ({ user: { userId } }: Follower) =>
      simulator.emit("account.linked", { acct: "Oak", webId: userId, by: "player" });
    login();
    linked(everybody.owner);
    login();
    linked(everybody.other);
    login();
    simulator.emit("account.unlinked", { acct: "OAK", webId: null, by: "player" });
    login();
    const found = await heard();
    expect([found.owner.length, found.other.length, found.watcher]).toEqual([1, 1, []]);
  });

  it(
    "goes out even if a user of another event in the batch is being deleted",
    overSidecar,
    async () => {
      const { userId } = (await site.follower(["vendor.sale"])).user;
      simulator.emit("account.linked", { acct: "Willow", webId: userId, by: "player" });
      await untilTakenIn();
      const deletion = await site.server.context.sequelize.transaction();
      await deleteUser(site.server, userId, deletion);
      const altar = serial();
      await inOneBatch(() => {
        simulator.emit("vendor.sale", { ...samples["vendor.sale"], ownerAcct: "willow" });
        simulator.emit("champ.start", { ...samples["champ.start"], id: altar });
        simulator.emit("account.login", { ...samples["account.login"], acct: "birch" });
      });
      await waitUntilLockWaits(site.server);
      await deletion.commit();
      const login = `account.login ${await idOf("account.login")}`;
      expect(await heard()).toEqual({
        ...nothing,
        watcher: [`champ.start ${altar}`],
        other: [login],
      });
    },
  );

  /**
   * Makes ingest store these events in one batch: holds a lock that ingest needs until all of them have arrived.
   */
  async function inOneBatch(say: () => void): Promise<void> {
    const { sequelize, models } = site.server.context;
    const held = await sequelize.transaction();
    const lock = held.LOCK.UPDATE;
    await models.IngestSource.findByPk("shard", { transaction: held, lock });
    const waiting = () => ingest.ingest.stats.waiting;
    const { received } = ingest.ingest.stats;
    simulator.emit("world.broadcast", { text: "before", access: "Player" });
    await waitUntil("ingest has its turn to wait for", () => {
      return ingest.ingest.stats.received > received && waiting() === 0;
    });
    say();
    await waitUntil("the rest waits", () => waiting() >= 3);
    await held.rollback();
  }
});

describe("shard events and states that cause no push", () => {
  it("are events that are repeated on the socket, in a replay or in a new buffer", async () => {
    const house = serial();
    const before = await heard();
    expect(before).toEqual(nothing);
    decay({ serial: house, stage: "IDOC", from: "Greatly", to: "IDOC" });
    simulator.emit("champ.start", { ...samples["champ.start"], id: house });
    simulator.emit("vendor.sale", { ...samples["vendor.sale"], ownerAcct: "maple" });
    simulator.emit("account.login", { ...samples["account.login"], acct: "birch" });
    const ends = Date.now() + 9 * 86_400_000;
    const vote = { city: "Trinsic", phase: "voting", until: ends, candidates: [] };
    simulator.emit("governor.election", vote);
    const once = await heard();
    expect([once.watcher.length, once.owner.length, once.other.length]).toEqual([3, 2, 1]);
    simulator.faults.trigger("repeat", { count: 200 });
    simulator.faults.trigger("overlap", { count: 200 });
    simulator.faults.trigger("drop", { terminate: true });
    await waitUntil("it is back", () => simulator.stream.connection !== null);
    simulator.faults.trigger("recreate", { repeat: 200 });
    await waitUntil("it is back", () => simulator.stream.connection !== null);
    expect(await heard()).toEqual(once);
  });

  it("are full states of houses, vendors and governors, unchanged or seen for the first time", async () => {
    for (const house of simulator.world.houses.values()) {
      simulator.emit("house.upsert", houseRow(house));
      simulator.emit("house.upsert", { ...houseRow(house), stage: "IDOC" });
    }
    for (const vendor of simulator.world.vendors.values()) {
      simulator.emit("vendor.upsert", vendorRow(vendor));
    }
    simulator.emit("house.upsert", { ...samples["house.upsert"], serial: serial(), stage: "IDOC" });
    simulator.faults.trigger("gap", { count: 0 });
    simulator.faults.trigger("tear", { family: "", form: "noEnd", now: true });
    // Emit one more event. Once its message has arrived, all earlier events have been handled.
    const altar = serial();
    simulator.emit("champ.start", { ...samples["champ.start"], id: altar });
    expect(await heard()).toEqual({ ...nothing, watcher: [`champ.start ${altar}`] });
  });

  it("are events that are too old when they are stored", async () => {
    const house = serial();
    const ago = (minutes: number) => ({ t: Date.now() - minutes * 60_000 });
    const fall = { ...samples["house.decay"], ownerAcct: "maple", from: "Greatly", to: "IDOC" };
    simulator.emit("house.decay", { ...fall, serial: house, stage: "IDOC" }, ago(20));
    simulator.emit("champ.start", { ...samples["champ.start"], id: house }, ago(16));
    simulator.emit("account.login", { ...samples["account.login"], acct: "birch" }, ago(25 * 60));
    expect(await heard()).toEqual({ ...nothing, owner: [`house.idoc ${house}`] });
  });
});

describe("a push about an appeal", () => {
  it("goes to its owner once for each public step of the staff, and for no internal message", async () => {
    const { server } = site;
    const [moderator, owner] = [
      await signIn(server, { role: "moderator" }),
      await site.follower(["appeal.update"]),
    ];
    const { id } = await plantAppeal(owner.user.userId);
    const post = (path: string, body: object) =>
      callRoute(server, `POST /admin/appeals/${id}/${path}`, { headers: moderator.headers, body });
    const told = async () => {
      await site.settled();
      return owner.device.payloads;
    };
    const update = { stream: "appeal.update", ref: String(id) };
    expect((await post("messages", { body: "Known cheater", internal: true })).status).toBe(201);
    expect(await told()).toEqual([]);
    await post("messages", { body: "Please send us the video." });
    expect(await told()).toEqual([update]);
    const body = { body: "Here it is." };
    await callRoute(server, `POST /player/appeals/${id}/messages`, {
      headers: owner.user.headers,
      body,
    });
    expect(await told()).toEqual([update]);
    const decision = { outcome: "rejected", note: "The log is clear." };
    const decided = await Promise.all(makeList(5, () => post("decision", decision)));
    expect(decided.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await told()).toEqual([update, update]);
    expect(await heard()).toEqual(nothing);
  });
});

describe("a database fault while the pushes for shard events are prepared", () => {
  it("lets the events be stored, and prevents only the push that depends on the failed read", async () => {
    const { context } = site.server;
    const client = new Client(context.config.DATABASE_URL);
    await client.connect();
    const failing = new Set<string>();
    /**
     * A connection whose queries on some tables fail. As in PostgreSQL, a failed statement aborts
     * the transaction.
     */
    const connection: SqlClient = {
      query: (statement: string | QueryConfig, values?: unknown[]) => {
        const text = typeof statement === "string" ? statement : statement.text;
        const isFailing = [...failing].some((table) => text.includes(`from ${table}`));
        return client.query(isFailing ? "select 1 / 0" : statement, isFailing ? [] : values);
      },
    };
    const house = serial();
    const fall = { serial: house, stage: "IDOC", ownerAcct: "Maple" };
    const payload = { ...samples["house.decay"], ...fall, from: null };
    const eventOf = (id: number): StateEvent => ({
      id,
      payload,
      frame: {
        type: "event",
        epoch: "faulty",
        seq: id,
        bootId: null,
        eventKey: null,
        kind: "house.decay",
        t: Date.now(),
        replay: false,
        payload,
      },
    });
    const store = async (id: number): Promise<void> => {
      await client.query("begin");
      await client.query(`insert into settings (name, value) values ('kept ${id}', '1')`);
      const idocs = await readIdocSerials([eventOf(id)], connection, context);
      await announceEvents([eventOf(id)], { source: "faulty", idocs, connection, context });
      await client.query("commit");
    };
    failing.add("houses");
    await store(1);
    failing.clear();
    failing.add("shard_links");
    await store(2);
    failing.clear();
    await store(3);
    await client.end();
    const { Setting, Push } = context.models;
    expect(await Setting.destroy({ where: { name: ["kept 1", "kept 2", "kept 3"] } })).toBe(3);
    const pushes = await Push.findAll({ where: { ref: house }, order: ["stream"] });
    expect(pushes.map(({ stream, eventKey }) => [stream, eventKey])).toEqual([
      ["house.idoc", "faulty at faulty 3"],
      ["idoc.warning", "faulty at faulty 3"],
    ]);
  });
});

async function plantAppeal(userId: number): Promise<{ readonly id: number }> {
  const { Appeal, Punishment } = site.server.context.models;
  const account = "Rowan";
  const punishment = await Punishment.create({
    accountKey: account.toLowerCase(),
    account,
    reason: "Speed hack",
    confirmedAt: new Date(),
  });
  const reason = "I was fishing by hand, and can prove it.";
  return Appeal.create({ userId, punishmentId: punishment.id, account, reason });
}
