import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import type { SurvivalServer } from "../../models/survival/survival-server.ts";
import { serviceActor } from "../../shared/platform/bridge/calls/call.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { deliverKits } from "../../shared/survival/rewards/deliver-kits.ts";
import { grantKits } from "../../shared/survival/rewards/entitlements.ts";
import {
  collectParticipation,
  selectWinners,
  openParticipation,
} from "../../shared/survival/rewards/participation.ts";
import { parseZonePlace } from "../../shared/survival/zones/check-opening.ts";
import { startSurvivalSimulator, type SurvivalSimulator } from "../simulator/survival/simulator.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { requireDescribedBodies } from "../support/bridge/described-bodies.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { jobsOf } from "../support/database/stored-jobs.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { buildSteamLink, buildSurvivalServer } from "../support/factories/survival.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { loseAnswer } from "../support/plugin/over-sidecar.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startTestWorker } from "../support/service/worker.ts";
import { linkSurvivalServer } from "../support/survival/linked-survival.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";

let server: TestServer;
let simulator: SurvivalSimulator;
let player: SignedIn;
let linked: SurvivalServer;

beforeAll(async () => {
  server = await startTestServer();
  simulator = await startSurvivalSimulator({ world: "small", ticking: false });
  player = await signIn(server, { role: "player" });
});
afterAll(async () => {
  await server.stop();
  await simulator.stop();
  requireDescribedBodies("rust", simulator.received.commands);
});
beforeEach(async () => {
  await deleteAll(server, "SurvivalServer", "SteamLink");
  simulator.faults.clear();
  linked = await linkSurvivalServer(server, simulator, { name: "Emberfall" });
});

const anna = "76561198000000001";
const bert = "76561198000000002";

let given = 0;
const give = (more: object = {}): Promise<void> =>
  inTransaction(server.context.sequelize, (transaction) =>
    grantKits(
      {
        serverId: linked.id,
        steamIds: [anna],
        kit: "event",
        uses: 2,
        expiresAt: null,
        runId: null,
        stepId: null,
        key: `test:${++given}`,
        ...more,
      },
      transaction,
      server.context,
    ),
  );

const deliver = (): Promise<void> => deliverKits(linked.id, server.context);

interface Kit {
  readonly id: number;
  readonly state: string;
  readonly used: number;
}
const kits = async (): Promise<Kit[]> => {
  const { headers } = player;
  const { body } = await callRoute(server, "GET /player/survival/kits", { headers });
  return (body as { kits: Kit[] }).kits;
};
const states = async (): Promise<string[]> => (await kits()).map(({ state }) => state);

const link = (steamId: string): Promise<unknown> =>
  buildSteamLink(server, { steamId, userId: player.userId });

const store = (kind: string, payload: object): Promise<unknown> =>
  storeSurvivalFrames(server.context, linked.id, [survivalFrame(kind, payload)]);

const hello = (saveCreatedAt: number): Promise<unknown> =>
  store("server.hello", {
    serverName: "Oak",
    worldReady: true,
    world: { saveCreatedAt },
    helpers: [],
    capabilities: ["kits"],
  });

const timesOf = (id: number): number =>
  simulator.deeds.of("kit.entitled").find(({ ref }) => ref === String(id))?.times ?? 0;

/** Returns the entries of the ledger, oldest first. */
const entries = async (): Promise<string[]> =>
  (
    await server.context.models.SurvivalLedgerEntry.findAll({
      where: { serverId: linked.id, what: "kit" },
      order: ["id"],
    })
  ).map(({ state, reason }) => `${state} ${reason}`);

describe("GET /player/survival/kits", () => {
  it("lists the kits of all Steam accounts that the caller linked, and no others", async () => {
    await link(anna);
    await give({ steamIds: [anna, bert, anna] });
    await deliver();
    const { headers } = player;
    expect(
      statusAndBodyOf(await callRoute(server, "GET /player/survival/kits", { headers })),
    ).toEqual([
      200,
      {
        kits: [
          {
            id: expect.any(Number),
            serverId: linked.id,
            server: "Emberfall",
            steamId: anna,
            kit: "event",
            uses: 2,
            used: 0,
            state: "delivered",
            createdAt: anyTime,
            deliveredAt: anyTime,
            expiresAt: null,
          },
        ],
      },
    ]);
    expect((await callRoute(server, "GET /player/survival/kits")).status).toBe(401);
  });
});

describe("a kit", () => {
  beforeEach(() => link(anna));

  it("is created once for an idempotency key and delivered once, even after several attempts", async () => {
    await Promise.all([give({ key: "once" }), give({ key: "once" }), give({ key: "once" })]);
    expect(await states()).toEqual(["pending"]);
    loseAnswer(simulator, { method: "POST", path: "/v1/kits/entitle" });
    await deliver();
    expect(await states()).toEqual(["pending"]);
    await Promise.all([deliver(), deliver()]);
    const [kit] = await kits();
    expect(kit?.state).toBe("delivered");
    expect(timesOf(kit?.id ?? 0)).toBe(1);
  });

  it("counts as delivered if the player redeems it after the answer to its delivery was lost", async () => {
    await give();
    loseAnswer(simulator, { method: "POST", path: "/v1/kits/entitle" });
    await deliver();
    const [kit] = await kits();
    const id = kit?.id ?? 0;
    expect([kit?.state, await entries()]).toEqual(["pending", ["pushed null"]]);
    const redeemed = { entitlementId: id, steamId: anna, kit: "event", at: 1_764_300_000_000 };
    await store("kit.redeemed", redeemed);
    await deliver();
    expect(await kits()).toMatchObject([{ state: "delivered", used: 1, deliveredAt: anyTime }]);
    expect(await entries()).toEqual(["confirmed null"]);
    await store("kit.redeemed", { ...redeemed, at: redeemed.at + 1 });
    expect(await states()).toEqual(["redeemed"]);
  });

  it("is not delivered again if the player redeems it fully while its delivery waits", async () => {
    await give({ uses: 1 });
    loseAnswer(simulator, { method: "POST", path: "/v1/kits/entitle" });
    await deliver();
    const [kit] = await kits();
    const at = 1_764_300_000_000;
    await store("kit.redeemed", { entitlementId: kit?.id, steamId: anna, kit: "event", at });
    await deliver();
    expect([await states(), await entries()]).toEqual([["redeemed"], ["confirmed null"]]);
  });

  it("waits while the server is off or has not loaded the kit mod", async () => {
    await give();
    await linked.update({ enabled: false });
    await deliver();
    expect(await states()).toEqual(["pending"]);
    await linked.update({ enabled: true });
    const mod = [...simulator.world.plugins.values()].find(({ helperId }) => helperId === "kits");
    Object.assign(mod ?? {}, { loaded: false });
    await deliver();
    expect(await states()).toEqual(["pending"]);
    Object.assign(mod ?? {}, { loaded: true });
    await deliver();
    expect(await states()).toEqual(["delivered"]);
  });

  it("does not delay other kits if the game cannot deliver it yet", async () => {
    await give({ kit: "unknown" });
    await give();
    await deliver();
    expect(await states()).toEqual(["delivered", "pending"]);
  });

  it("is delivered again in a new world with the remaining uses", async () => {
    await hello(1_764_000_000_000);
    await give();
    await deliver();
    const [kit] = await kits();
    const id = kit?.id ?? 0;
    const at = 1_764_300_000_000;
    const redeemed = { entitlementId: id, steamId: anna, kit: "event", at };
    await store("kit.redeemed", redeemed);
    await store("kit.redeemed", redeemed);
    expect(await kits()).toMatchObject([{ state: "delivered", used: 1 }]);
    simulator.world.entitlements.clear();
    await hello(1_765_000_000_000);
    expect(await states()).toEqual(["pending"]);
    await deliver();
    expect(await states()).toEqual(["delivered"]);
    expect(simulator.world.entitlements.get(id)).toMatchObject({ uses: 1 });
    expect(timesOf(id)).toBe(2);
    await store("kit.redeemed", { ...redeemed, at: at + 1 });
    expect(await kits()).toMatchObject([{ state: "redeemed", used: 2 }]);
    await hello(1_766_000_000_000);
    expect(await states()).toEqual(["redeemed"]);
  });

  it("is pending again if the game reports a wipe, and expired if the game reports a timeout", async () => {
    await give();
    await give();
    await deliver();
    const [second, first] = await kits();
    const expired = (id: number | undefined, reason: string) =>
      store("world.expired", { what: "kit", ref: String(id), reason, at: Date.now() });
    await expired(first?.id, "wipe");
    await expired(second?.id, "timeout");
    expect(await states()).toEqual(["expired", "pending"]);
    const other = await buildSurvivalServer(server);
    await deliver();
    const frame = { what: "kit", ref: String(first?.id), reason: "timeout", at: Date.now() };
    await storeSurvivalFrames(server.context, other.id, [survivalFrame("world.expired", frame)]);
    await storeSurvivalFrames(server.context, other.id, [
      survivalFrame("world.expired", { ...frame, ref: "__proto__" }),
    ]);
    expect(await states()).toEqual(["expired", "delivered"]);
  });

  it("has two ledger entries of its end if a wipe removed it and it expired later", async () => {
    await give();
    await deliver();
    const [kit] = await kits();
    const expired = (reason: string, at: number) =>
      storeSurvivalFrames(server.context, linked.id, [
        survivalFrame(
          "world.expired",
          { what: "kit", ref: String(kit?.id), reason, at },
          { eventKey: `world:kit:${kit?.id}` },
        ),
      ]);
    await expired("wipe", 1_766_000_000_000);
    expect(await entries()).toEqual(["expired wipe", "pushed null"]);
    // The same event again, from another buffer, changes nothing.
    await expired("wipe", 1_766_000_000_000);
    expect(await entries()).toEqual(["expired wipe", "pushed null"]);
    await deliver();
    expect(await entries()).toEqual(["expired wipe", "confirmed null"]);
    await expired("timeout", 1_766_000_001_000);
    expect(await entries()).toEqual(["expired wipe", "expired timeout"]);
    expect(await states()).toEqual(["expired"]);
  });

  it("is not delivered if it has already expired", async () => {
    await give({ expiresAt: new Date(Date.now() - 1_000) });
    expect(await states()).toEqual(["expired"]);
    await deliver();
    const [kit] = await kits();
    expect([kit?.state, timesOf(kit?.id ?? 0)]).toEqual(["expired", 0]);
  });
});

describe("a server that does not answer", () => {
  const deliveredTo = (serverId: number) => {
    const { SurvivalEntitlement } = server.context.models;
    return storedRows(SurvivalEntitlement, ["id"], { serverId, state: "delivered" });
  };
  const busy = async () => {
    const ofServer = await jobsOf(server, "survival.deliver-kits", { serverId: linked.id });
    return ofServer.filter(({ state }) => state === "active");
  };

  it("occupies one worker, and does not delay the kits of another server", async () => {
    const quick = await startSurvivalSimulator({ world: "small", ticking: false });
    const other = await linkSurvivalServer(server, quick, { name: "Quick" });
    simulator.faults.trigger("hang", { method: "POST", path: "/v1/kits/entitle", times: 100 });
    const worker = await startTestWorker(server, ["events"], { everySeconds: 0.5 });
    for (let round = 1; round <= 3; round++) {
      await give();
      await waitUntil("the slow server is asked", async () => (await busy()).length > 0);
      await give({ serverId: other.id });
      await waitUntil("the other has its kit", async () => {
        return (await deliveredTo(other.id)).length === round;
      });
    }
    expect(await busy()).toHaveLength(1);
    expect(await deliveredTo(linked.id)).toEqual([]);
    simulator.faults.clear();
    await worker.stop();
    await quick.stop();
  });
});

describe("the participants of an event", () => {
  const order = { actor: serviceActor };
  const open = (stepKey: string) =>
    openParticipation(
      {
        serverId: linked.id,
        method: "damage",
        zoneId: null,
        profile: "warlord",
        durationSec: 600,
        runId: 1,
        stepId: 2,
        stepKey,
      },
      order,
      server.context,
    );

  it("belong to one list for each step, which is collected once and then does not change", async () => {
    const { id, state } = await open("one");
    expect(state).toBe("open");
    expect((await open("one")).id).toBe(id);
    const [first = "", second = ""] = [...simulator.world.players.keys()];
    const scored = (steamId: string, score: number) =>
      simulator.turn({ turn: "takePart", steamId, participationId: id, score });
    scored(first, 10);
    scored(second, 90);
    const collected = await collectParticipation(id, order, server.context);
    expect(collected.members).toMatchObject([
      { steamId: second, score: 90 },
      { steamId: first, score: 10 },
    ]);
    await linked.update({ enabled: false });
    const again = await collectParticipation(id, order, server.context);
    expect(again.members).toEqual(collected.members);
    const deeds = simulator.deeds.of("participation.collected");
    expect(deeds.filter(({ ref }) => ref === String(id))).toMatchObject([{ times: 1 }]);
  });

  it("do not include NPCs, and can be collected even if an NPC took part", async () => {
    const { id } = await open("beside an NPC");
    const [first = ""] = [...simulator.world.players.keys()];
    simulator.turn({ turn: "takePart", steamId: first, participationId: id, score: 10 });
    const members = simulator.world.participations.get(id)?.members;
    const scientist = { steamId: "8412931", name: "Scientist", firstAt: 1, lastAt: 2, score: 90 };
    members?.set(scientist.steamId, scientist);
    const collected = await collectParticipation(id, order, server.context);
    expect(collected.members).toMatchObject([{ steamId: first, score: 10 }]);
  });

  it("are rewarded by their share of the damage, the highest share first", () => {
    const member = (steamId: string, score: number) => ({
      steamId,
      name: steamId,
      firstAt: 1,
      lastAt: 2,
      score,
    });
    const members = [member(anna, 60), member(bert, 31), member("76561198000000003", 9)];
    expect(selectWinners({ members }, { most: 50, leastShare: 10 })).toEqual([anna, bert]);
    expect(selectWinners({ members }, { most: 1, leastShare: 0 })).toEqual([anna]);
    expect(selectWinners({ members: [] }, { most: 50, leastShare: 10 })).toEqual([]);
    const idle = [member(anna, 0)];
    expect(selectWinners({ members: idle }, { most: 50, leastShare: 0 })).toEqual([anna]);
    expect(selectWinners({ members: idle }, { most: 50, leastShare: 1 })).toEqual([]);
  });
});

describe("a location in the parameters of an event step", () => {
  it.each([
    ["10 0 -20.5", { x: 10, y: 0, z: -20.5 }],
    ["1,2,3", { x: 1, y: 2, z: 3 }],
    [" launchsite ", { monument: "launchsite" }],
    ["10 20", { monument: "10 20" }],
  ])("is read from %s", (text, place) => {
    expect(parseZonePlace(text)).toEqual(place);
  });
});
