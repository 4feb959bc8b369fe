import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { literal, Op } from "sequelize";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import type { SurvivalServer } from "../../models/survival/survival-server.ts";
import { maintainZones } from "../../shared/survival/zones/maintain-zones.ts";
import type { SurvivalSimulator } from "../simulator/survival/simulator.ts";
import { startSurvivalSimulator } from "../simulator/survival/simulator.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { requireDescribedBodies } from "../support/bridge/described-bodies.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { activityOf } from "../support/factories/site.ts";
import { buildSurvivalServer, changeSurvivalState } from "../support/factories/survival.ts";
import { anyRevision } from "../support/http/any-revision.ts";
import { type ApiAnswer, callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { loseAnswer, overSidecar } from "../support/plugin/over-sidecar.ts";
import { sendSimultaneously } from "../support/races/at-once.ts";
import { countStatuses } from "../support/races/race.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { linkSurvivalServer } from "../support/survival/linked-survival.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";

let server: TestServer;
let simulator: SurvivalSimulator;
let admin: SignedIn;
let moderator: SignedIn;
let linked: SurvivalServer;

beforeAll(async () => {
  server = await startTestServer({ environment: { SURVIVAL_LEASE_TTL: "30s" } });
  simulator = await startSurvivalSimulator({ world: "small", ticking: false });
  admin = await signIn(server, { role: "admin" });
  moderator = await signIn(server, { role: "moderator" });
});
afterAll(async () => {
  await server.stop();
  await simulator.stop();
  requireDescribedBodies("rust", simulator.received.commands);
});
beforeEach(async () => {
  await deleteAll(server, "SurvivalServer", "SurvivalZonePreset");
  simulator.faults.clear();
  simulator.world.leases.clear();
  linked = await linkSurvivalServer(server, simulator);
});

const as = (route: string, body?: object, { headers } = admin): Promise<ApiAnswer> =>
  callRoute(server, route, { headers, ...(body && { body }) });

const sphere = { kind: "sphere", radius: 75 };
const arena = { key: "arena", name: "Arena", shape: sphere, flags: ["NoBuild"] };

const preset = (given: object = {}) => ({
  id: expect.any(Number),
  ...arena,
  rotation: 0,
  radiation: 0,
  comfort: 0,
  temperature: 0,
  safeZone: false,
  enterMessage: null,
  leaveMessage: null,
  permission: null,
  ejectSpawns: null,
  ruleset: null,
  dome: null,
  maxDurationSec: 3_600,
  color: null,
  servers: "all",
  createdAt: anyTime,
  revision: anyRevision,
  updatedAt: anyTime,
  updatedBy: admin.username,
  ...given,
});

const make = async (given: object = {}): Promise<number> => {
  const made = await as("POST /admin/survival/zones/presets", { ...arena, ...given });
  expect(made.status).toBe(201);
  return (made.body as { preset: { id: number } }).preset.id;
};

const opening = (given: object = {}) => ({
  serverId: linked.id,
  presetKey: "arena",
  at: { x: 10.5, z: -20 },
  durationSec: 600,
  ...given,
});

const open = (given: object = {}) => as("POST /admin/survival/zones/open", opening(given));

interface Lease {
  readonly leaseId: string;
  readonly zoneId: string;
  readonly state: string;
}
const opened = async (given: object = {}): Promise<Lease> => {
  const answered = await open(given);
  expect(answered.status).toBe(202);
  return (answered.body as { lease: Lease }).lease;
};

const close = (leaseId: string) => as(`POST /admin/survival/zones/leases/${leaseId}/close`);
const zones = async () =>
  (await as("GET /admin/survival/zones")).body as { presets: object[]; open: Lease[] };
const ledger = async () =>
  ((await as("GET /admin/survival/ledger?what=zone")).body as { ledger: object[] }).ledger;
const leaseRow = async () =>
  (await storedRows(server.context.models.SurvivalZoneLease, ["state", "reason"]))[0];

/** Sets the times of all leases back by this many seconds. */
const pass = (seconds: number) => {
  const earlier = (column: string) => literal(`${column} - make_interval(secs => ${seconds})`);
  return server.context.models.SurvivalZoneLease.update(
    {
      openedAt: earlier("opened_at"),
      heldUntil: earlier("held_until"),
      leaseUntil: earlier("lease_until"),
    },
    { where: {} },
  );
};
const hold = () => maintainZones(linked.id, server.context);

describe("zone presets", () => {
  it("are created with defaults, changed field by field, and deleted", async () => {
    expect(statusAndBodyOf(await as("POST /admin/survival/zones/presets", arena))).toEqual([
      201,
      { preset: preset() },
    ]);
    const [{ id }] = (await zones()).presets as [{ id: number }];
    const change = {
      key: "arena",
      name: "Big arena",
      shape: { kind: "box", x: 10, y: 20, z: 30 },
      dome: { enabled: true, darkness: 3 },
      servers: [linked.id],
      permission: "arena.in",
    };
    expect(statusAndBodyOf(await as(`PUT /admin/survival/zones/presets/${id}`, change))).toEqual([
      200,
      { preset: preset(change) },
    ]);
    expect(statusAndBodyOf(await as(`DELETE /admin/survival/zones/presets/${id}`))).toEqual([
      200,
      { id },
    ]);
    const gone = [404, { error: "There is no such preset" }];
    expect(statusAndBodyOf(await as(`DELETE /admin/survival/zones/presets/${id}`))).toEqual(gone);
    expect(statusAndBodyOf(await as(`PUT /admin/survival/zones/presets/${id}`, {}))).toEqual(gone);
    const ofPresets = { action: { [Op.startsWith]: "survival.zone.preset" } };
    expect(await activityOf(server, ofPresets, ["action"])).toEqual(
      ["created", "changed", "deleted"].map((verb) => ({
        action: `survival.zone.preset_${verb}`,
      })),
    );
  });

  it("must be confirmed at every write if they have a destructive flag", async () => {
    const flags = ["NoBuild", "KillSleepers"];
    const refused = await as("POST /admin/survival/zones/presets", { ...arena, flags });
    expect(statusAndBodyOf(refused)).toEqual([
      400,
      {
        error: "Validation failed",
        errors: [
          {
            path: "confirmDestructive",
            message:
              "confirmDestructive must be true, because the effect of a flag cannot be undone",
          },
        ],
      },
    ]);
    const id = await make({ flags, confirmDestructive: true });
    const path = `PUT /admin/survival/zones/presets/${id}`;
    expect((await as(path, { name: "Other" })).status).toBe(400);
    expect((await as(path, { name: "Other", confirmDestructive: true })).status).toBe(200);
    expect((await as(path, { flags: ["NoBuild"] })).status).toBe(200);
  });

  it.each<[string, object]>([
    ["no shape", { key: "x", name: "X" }],
    ["an unknown flag", { ...arena, flags: ["NoFun"] }],
    ["a flag twice", { ...arena, flags: ["NoBuild", "NoBuild"] }],
    ["a sphere that is too wide", { ...arena, shape: { kind: "sphere", radius: 1_001 } }],
    ["the permission prefix of the mod", { ...arena, permission: "zonemanager.vip" }],
    ["a dome that is too dark", { ...arena, dome: { enabled: true, darkness: 11 } }],
    ["a time that is too short", { ...arena, maxDurationSec: 59 }],
    ["an unknown server", { ...arena, servers: [2_000_000_000] }],
    ["no servers", { ...arena, servers: [] }],
    ["a key with capitals", { ...arena, key: "Arena" }],
  ])("are refused if they have %s", async (_what, body) => {
    expect((await as("POST /admin/survival/zones/presets", body)).status).toBe(400);
    expect((await zones()).presets).toEqual([]);
  });

  it("have unique keys that never change, even if six requests create one at once", async () => {
    const request = {
      url: server.url,
      route: "POST /admin/survival/zones/presets",
      headers: admin.headers,
      body: arena,
    };
    const answers = await sendSimultaneously(Array.from({ length: 6 }, () => request));
    expect(countStatuses(answers)).toEqual({ 201: 1, 409: 5 });
    const [{ id }] = (await zones()).presets as [{ id: number }];
    expect((await as(`PUT /admin/survival/zones/presets/${id}`, { key: "other" })).status).toBe(
      400,
    );
  });

  it("cannot be deleted while an event step uses them, and are open to administrators only", async () => {
    const id = await make();
    const steps = [
      {
        key: "zone",
        actionId: "survival.zone.open",
        params: { server: linked.slug, preset: "arena", at: "10 0 -20", durationSec: 600 },
      },
    ];
    const phases = [{ key: "fight", title: "The fight", steps }];
    const spec = { scope: `survival:${linked.id}`, phases };
    const drafted = await as("POST /admin/events", { title: "Evening", spec });
    const { event } = drafted.body as { event: { id: number } };
    expect(statusAndBodyOf(await as(`DELETE /admin/survival/zones/presets/${id}`))).toEqual([
      409,
      { error: "A step of Evening opens the preset" },
    ]);
    expect((await as(`DELETE /admin/events/${event.id}`)).status).toBe(200);
    expect((await as(`DELETE /admin/survival/zones/presets/${id}`)).status).toBe(200);
    expect((await as("GET /admin/survival/zones", undefined, moderator)).status).toBe(403);
  });

  it("list all flags of the zone mod, and mark the destructive ones", async () => {
    const { flags } = (await as("GET /admin/survival/zones")).body as {
      flags: { name: string; destructive: boolean }[];
    };
    expect(flags).toHaveLength(69);
    expect(flags.filter(({ destructive }) => destructive).map(({ name }) => name)).toEqual([
      "Eject",
      "EjectSleepers",
      "Kill",
      "KillSleepers",
      "UnDestr",
    ]);
  });
});

describe("a zone", () => {
  it("is opened in the world with a separate lease, and closed", async () => {
    await make();
    const lease = {
      leaseId: expect.any(String),
      serverId: linked.id,
      presetKey: "arena",
      zoneId: expect.stringMatching(/^site-/),
      at: { x: 10.5, y: 0, z: -20 },
      state: "open",
      openedAt: anyTime,
      leaseUntil: anyTime,
      endedAt: null,
      reason: null,
      runId: null,
      stepId: null,
    };
    const answered = await open();
    expect(statusAndBodyOf(answered)).toEqual([202, { lease }]);
    const { leaseId, zoneId } = (answered.body as { lease: Lease }).lease;
    expect(zoneId).toBe(`site-${leaseId}`);
    expect([...simulator.world.leases.values()]).toMatchObject([
      { leaseId, zoneId, preset: { key: "arena", shape: sphere }, at: { x: 10.5, y: 0, z: -20 } },
    ]);
    expect((await zones()).open).toEqual([lease]);
    expect(await ledger()).toMatchObject([
      { ref: leaseId, state: "confirmed", leaseUntil: anyTime },
    ]);

    const closed = { ...lease, state: "closed", endedAt: anyTime, reason: "closed" };
    expect(statusAndBodyOf(await close(leaseId))).toEqual([200, { lease: closed }]);
    expect(simulator.world.leases.size).toBe(0);
    expect((await zones()).open).toEqual([]);
    expect(await ledger()).toMatchObject([
      { state: "withdrawn", reason: "closed", endedAt: anyTime },
    ]);
    expect(statusAndBodyOf(await close(leaseId))).toEqual([200, { lease: closed }]);
    const ofZones = { targetType: "survival_zone" };
    const lines = await activityOf(server, ofZones, ["action", "targetId", "detail"]);
    expect(
      lines.map(({ action, targetId, detail }) => [action, targetId, detail["outcome"]]),
    ).toEqual([
      ["survival.zone.opened", leaseId, "done"],
      ["survival.zone.closed", leaseId, undefined],
    ]);
  });

  it("is sent at each attempt with the key and the name that its preset had when the zone was opened", async () => {
    const id = await make({ key: "boss-arena", name: "Boss arena" });
    loseAnswer(simulator, { method: "POST", path: "/v1/zones" });
    const { leaseId } = await opened({ presetKey: "boss-arena" });
    await as(`PUT /admin/survival/zones/presets/${id}`, { name: "Renamed" });
    await pass(13);
    await hold();
    const sent = simulator.received.commands
      .filter(({ key }) => key === leaseId)
      .map(({ body }) => (body as { preset: object }).preset);
    expect(sent.length).toBeGreaterThan(0);
    for (const told of sent) {
      expect(told).toMatchObject({ key: "boss-arena", name: "Boss arena", shape: sphere });
    }
    expect(await leaseRow()).toMatchObject({ state: "open" });
  });

  it("is sent with the key of its preset as the name if an older release stored no name", async () => {
    await make();
    loseAnswer(simulator, { method: "POST", path: "/v1/zones" });
    const { leaseId } = await opened();
    simulator.world.leases.clear();
    await server.context.models.SurvivalZoneLease.update(
      { preset: literal("preset - 'name'") },
      { where: {} },
    );
    await pass(13);
    await hold();
    const told = { key: "arena", name: "arena", flags: ["NoBuild"] };
    const sent = simulator.received.commands.filter(({ key }) => key === leaseId);
    expect(sent.at(-1)?.body).toMatchObject({ preset: told });
  });

  it("is placed at a monument whose label occurs once", async () => {
    await make();
    const [first] = simulator.world.save.monuments;
    const label = simulator.world.save.monuments.find(
      (one) =>
        simulator.world.save.monuments.filter((other) => other.label === one.label).length === 1,
    )?.label;
    expect(first).toBeDefined();
    expect(await opened({ at: label })).toMatchObject({ state: "open", at: label });
    expect((await open({ at: "atlantis" })).status).toBe(400);
  });

  it("is refused at a label that occurs twice on the map or not at all", async () => {
    await make();
    const monument = (label: string, x: number) => ({ label, name: label, x, z: 0 });
    const monuments = [monument("harbor", 1), monument("harbor", 2), monument("dome", 3)];
    const map = { saveId: 1, monuments };
    await server.context.models.SurvivalServerState.create({ serverId: linked.id, map });
    const refusal = async (at: string) =>
      ((await open({ at })).body as { errors: { path: string; message: string }[] }).errors;
    expect(await refusal("harbor")).toEqual([
      { path: "at", message: "2 monuments of the map have this label: give a point" },
    ]);
    expect(await refusal("outpost")).toEqual([
      { path: "at", message: "no monument of the map has this label" },
    ]);
  });

  it.each<[string, object]>([
    ["an unknown preset", { presetKey: "nothing" }],
    ["an unknown server", { serverId: 2_000_000_000 }],
    ["more time than the preset allows", { durationSec: 3_601 }],
    ["a time that is too short", { durationSec: 9 }],
    ["an incomplete point", { at: { x: 1 } }],
    ["no place", { at: null }],
  ])("is refused with %s, and nothing is recorded", async (_what, given) => {
    await make();
    expect((await open(given)).status).toBe(400);
    expect(await ledger()).toEqual([]);
    expect(simulator.world.leases.size).toBe(0);
  });

  it("is refused on a server that its preset does not include", async () => {
    const other = await buildSurvivalServer(server);
    await make({ servers: [other.id] });
    expect((await open()).status).toBe(400);
  });

  it("is refused if the server is off or lacks the mod, and leaves no lease", async () => {
    await make({ dome: { enabled: true, darkness: 1 } });
    const plugins = [...simulator.world.plugins.values()];
    const domes = plugins.find(({ helperId }) => helperId === "zones");
    if (domes) domes.loaded = false;
    expect(statusAndBodyOf(await open())).toEqual([
      409,
      { error: "The server has not loaded a mod that this zone needs" },
    ]);
    if (domes) domes.loaded = true;
    const hello = { helpers: [], capabilities: ["map"], serverName: "Oak", worldReady: true };
    const world = { saveCreatedAt: 1_764_000_000_000 };
    const frame = survivalFrame("server.hello", { ...hello, world });
    await storeSurvivalFrames(server.context, linked.id, [frame]);
    expect((await open()).status).toBe(409);
    await changeSurvivalState(server, linked.id, { hello: null });
    await linked.update({ enabled: false });
    expect(statusAndBodyOf(await open())).toEqual([
      503,
      { error: "The game server cannot be reached" },
    ]);
    expect(await ledger()).toEqual([]);
    expect((await zones()).open).toEqual([]);
  });

  it("is extended after each third of its lease, and closed at the end of its time", async () => {
    await make();
    const { leaseId } = await opened({ durationSec: 60 });
    const lease = () => simulator.world.leases.get(leaseId);
    const first = lease()?.until ?? 0;
    await hold();
    expect(lease()?.until).toBe(first);
    await pass(11);
    await hold();
    expect(lease()?.until).toBeGreaterThan(first);
    await pass(49);
    await hold();
    expect(simulator.world.leases.size).toBe(0);
    expect(await leaseRow()).toEqual({ state: "closed", reason: "ended" });
    expect(await ledger()).toMatchObject([{ state: "withdrawn", reason: "ended" }]);
  });

  it("is marked as expired, even after its end, if the game dropped it while no process extended it", async () => {
    await make();
    const { leaseId } = await opened();
    await pass(900);
    simulator.world.leases.clear();
    await hold();
    expect(await leaseRow()).toEqual({ state: "expired", reason: "timeout" });
    expect(await ledger()).toEqual([
      expect.objectContaining({ ref: leaseId, state: "expired", reason: "timeout" }),
    ]);
  });

  it("is marked as expired if the game ends it, by the job or by the frame, whichever comes first", async () => {
    await make();
    const { leaseId } = await opened();
    simulator.world.leases.clear();
    await pass(31);
    await hold();
    expect(await leaseRow()).toEqual({ state: "expired", reason: "timeout" });
    expect(await ledger()).toMatchObject([
      { state: "expired", reason: "timeout", endedAt: anyTime },
    ]);

    const other = await opened();
    const at = Date.UTC(2026, 0, 1);
    const expiry = { what: "zone", ref: other.leaseId, reason: "wipe", at };
    const frames = [survivalFrame("world.expired", expiry)];
    const elsewhere = await buildSurvivalServer(server);
    await storeSurvivalFrames(server.context, elsewhere.id, frames);
    expect((await zones()).open).toHaveLength(1);
    await storeSurvivalFrames(server.context, linked.id, frames);
    expect((await zones()).open).toEqual([]);
    expect(await ledger()).toMatchObject([
      { serverId: elsewhere.id, state: "expired" },
      { ref: other.leaseId, state: "expired", reason: "wipe", endedAt: new Date(at).toISOString() },
      { ref: leaseId, state: "expired" },
    ]);
  });

  it("stays in the state opening while an answer is missing, and is opened once", async () => {
    await make();
    loseAnswer(simulator, { method: "POST", path: "/v1/zones" });
    const { leaseId, state } = await opened();
    expect(state).toBe("opening");
    expect(await ledger()).toMatchObject([{ state: "pushed" }]);
    await pass(13);
    await hold();
    expect(await leaseRow()).toMatchObject({ state: "open" });
    const deeds = simulator.deeds.of("zone.opened").filter(({ ref }) => ref === leaseId);
    expect(deeds).toMatchObject([{ times: 1 }]);
  });

  it("is lost at the end of its lease if the site cannot find out whether it is open", async () => {
    await make();
    loseAnswer(simulator, { method: "POST", path: "/v1/zones" });
    await opened();
    await linked.update({ enabled: false });
    await pass(31);
    await hold();
    expect(await leaseRow()).toEqual({ state: "failed", reason: "SHARD_DOWN" });
    expect(await ledger()).toMatchObject([{ state: "lost", reason: "SHARD_DOWN" }]);
  });

  it(
    "is closed after the game opens it, if its closing was requested before the game answered",
    overSidecar,
    async () => {
      await make();
      const calls: string[] = [];
      let isOpen = false;
      let answer = (): void => undefined;
      const sidecar = createServer((request, response) => {
        calls.push(String(request.method));
        const say = (status: number, body: object) =>
          response
            .writeHead(status, { "content-type": "application/json" })
            .end(JSON.stringify(body));
        if (request.method === "POST") {
          answer = () => {
            isOpen = true;
            say(200, { opened: true });
          };
          return;
        }
        say(isOpen ? 200 : 404, isOpen ? {} : { code: "NOT_FOUND" });
        isOpen = false;
      });
      await new Promise<void>((listens) => sidecar.listen(0, "127.0.0.1", listens));
      const address = `127.0.0.1:${(sidecar.address() as AddressInfo).port}`;
      const link = { baseUrl: `http://${address}`, wsUrl: `ws://${address}/`, token: "token" };
      linked = await linkSurvivalServer(server, link);
      const answered = open();
      await waitUntil("the game was asked", () => calls.length === 1);
      const [lease] = (await zones()).open;
      await close(lease?.leaseId ?? "");
      expect(await leaseRow()).toEqual({ state: "closed", reason: "closed" });
      answer();
      expect((await answered).status).toBe(202);
      expect(calls).toEqual(["POST", "DELETE", "DELETE"]);
      expect(isOpen).toBe(false);
      expect(await leaseRow()).toEqual({ state: "closed", reason: "closed" });
      sidecar.close();
    },
  );

  it("is closed by a job if the game did not answer", async () => {
    await make();
    const { leaseId } = await opened();
    await linked.update({ enabled: false });
    expect(statusAndBodyOf(await close(leaseId))).toMatchObject([
      200,
      { lease: { state: "closing" } },
    ]);
    await linked.update({ enabled: true });
    await hold();
    expect(await leaseRow()).toEqual({ state: "closed", reason: "closed" });
    expect(simulator.world.leases.size).toBe(0);
  });

  it("is closed once, even if four requests ask at once, and an unknown zone answers 404", async () => {
    await make();
    const { leaseId } = await opened();
    const request = {
      url: server.url,
      route: `POST /admin/survival/zones/leases/${leaseId}/close`,
      headers: admin.headers,
    };
    const answers = await sendSimultaneously(Array.from({ length: 4 }, () => request));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const deeds = simulator.deeds.of("zone.closed").filter(({ ref }) => ref === leaseId);
    expect(deeds).toMatchObject([{ times: 1 }]);
    const unknown = [404, { error: "There is no such zone" }];
    expect(statusAndBodyOf(await close("3f1c1d0e-1b9f-4c37-9d2c-7d9a3b1c5e10"))).toEqual(unknown);
    expect(statusAndBodyOf(await close("nonsense"))).toEqual(unknown);
  });
});
