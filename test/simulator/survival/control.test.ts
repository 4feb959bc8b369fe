import { createHash } from "node:crypto";

import { afterEach, describe, expect, it } from "vitest";

import { callControl, buildInvalidAnswer, moderator, buildOkAnswer, refused } from "../client.ts";
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
import type { SurvivalSimulator } from "./simulator.ts";
import {
  createManualClock,
  noon,
  createSurvivalSimulatorPool,
  survivalEventsSince,
} from "./starting.ts";

const { start, stopAll } = createSurvivalSimulatorPool();
afterEach(stopAll);

const sha256 = (content: string | Uint8Array): string =>
  createHash("sha256").update(content).digest("hex");

const zone = (leaseId: string) => ({
  leaseId,
  zoneId: `site-${leaseId}`,
  preset: { key: "arena", shape: { kind: "sphere", radius: 50 } },
  at: { x: 10, y: 0, z: -10 },
  ttlSec: 60,
});

describe("every call of a survival server", () => {
  it("is answered 409 for another protocol, and 503 while the game is away, except a health request", async () => {
    const simulator = await start({ boot: false });
    const headers = { "x-bridge-protocol": "8" };
    expect(await callControl(simulator, "GET", "/v1/health", { headers })).toEqual(
      refused(409, "PROTOCOL", { server: 13, client: 8 }),
    );
    expect(await getControlRoute(simulator, "/v1/hello")).toEqual(refused(503, "SHARD_DOWN"));
    expect(await post(simulator, "/v1/zones", zone("a"))).toEqual(refused(503, "SHARD_DOWN"));
    expect(await getControlRoute(simulator, "/v1/health")).toMatchObject(
      buildOkAnswer({ protocol: 13, pluginConnected: false, bootId: null, uptimeSec: 0 }),
    );
  });

  it("is recorded with its key and actor", async () => {
    const simulator = await start();
    await post(simulator, "/v1/announce", { message: "Hello", channel: "chat" }, "k1");
    expect(simulator.received.commands).toMatchObject([
      { method: "POST", path: "/v1/announce", key: "k1", actor: moderator, carriedOut: true },
    ]);
  });

  it("returns for /v1/hello the same data as the hello on the stream", async () => {
    const simulator = await start();
    const hello = await getControlRoute(simulator, "/v1/hello");
    const said = lastOf(simulator, "server.hello").payload;
    expect(hello).toEqual(buildOkAnswer({ ...said, head: simulator.buffer.head }));
  });
});

describe("zones", () => {
  it("are opened once if the request is repeated, whether with the same idempotency key or another", async () => {
    const simulator = await start();
    const opened = buildOkAnswer({ opened: true, leaseUntil: noon + 60_000 });
    expect(await post(simulator, "/v1/zones", zone("a"), "k")).toEqual(opened);
    expect(await post(simulator, "/v1/zones", zone("a"), "k")).toEqual(opened);
    expect(await post(simulator, "/v1/zones", zone("a"), "another")).toEqual(opened);
    expect(timesOf(simulator, "zone.opened")).toEqual({ a: 1 });
    expect(await post(simulator, "/v1/zones", zone("b"), "k")).toEqual(refused(409, "CONFLICT"));
  });

  it("stay open while they are renewed, and expire by the clock of the plugin", async () => {
    const hand = createManualClock();
    const simulator = await start({ clock: hand.clock });
    await post(simulator, "/v1/zones", { ...zone("a"), runId: 7 });
    hand.pass(50_000);
    expect(await post(simulator, "/v1/zones/a/renew", { ttlSec: 60 })).toEqual(
      buildOkAnswer({ leaseId: "a", leaseUntil: noon + 110_000 }),
    );
    hand.pass(59_999);
    simulator.tick();
    expect(simulator.world.leases.has("a")).toBe(true);
    const from = simulator.buffer.log.length;
    hand.pass(1);
    simulator.tick();
    const ended = simulator.buffer.log.slice(from, from + 2);
    expect(ended.map(({ kind, eventKey, payload }) => ({ kind, eventKey, payload }))).toEqual([
      {
        kind: "lease.expired",
        eventKey: "lease:a",
        payload: {
          leaseId: "a",
          what: "zone",
          ref: "a",
          openedAt: noon,
          leaseUntil: noon + 110_000,
          runId: 7,
        },
      },
      {
        kind: "world.expired",
        eventKey: "world:zone:a",
        payload: { what: "zone", ref: "a", reason: "timeout", at: noon + 110_000 },
      },
    ]);
    expect(await post(simulator, "/v1/zones/a/renew", { ttlSec: 60 })).toEqual(
      refused(404, "NOT_FOUND"),
    );
  });

  it("end immediately if a test ends them", async () => {
    const simulator = await start();
    await post(simulator, "/v1/zones", zone("a"));
    simulator.turn({ turn: "expire", what: "zone", ref: "a" });
    expect(lastOf(simulator, "world.expired").payload).toMatchObject({ reason: "timeout" });
    expect(() => simulator.turn({ turn: "expire", what: "zone", ref: "a" })).toThrow("no zone a");
    await post(simulator, "/v1/zones", zone("b"));
    simulator.turn({ turn: "remove", what: "zone", ref: "b" });
    expect(lastOf(simulator, "world.expired").payload).toMatchObject({ reason: "removed" });
  });

  it("end at the next boot if they expired while the game was away", async () => {
    const hand = createManualClock();
    const simulator = await start({ clock: hand.clock });
    await post(simulator, "/v1/zones", zone("a"));
    simulator.faults.trigger("away", { crash: true });
    hand.pass(3_600_000);
    simulator.faults.trigger("back");
    expect(lastOf(simulator, "world.expired").payload).toMatchObject({ ref: "a", reason: "boot" });
  });

  it("end when the world is wiped", async () => {
    const simulator = await start();
    await post(simulator, "/v1/zones", zone("a"));
    simulator.turn({ turn: "wipe" });
    const kinds = kindsOf(simulator.buffer.log);
    expect(kinds.indexOf("world.expired")).toBeLessThan(kinds.indexOf("world.wiped"));
    expect(lastOf(simulator, "world.expired").payload).toMatchObject({ ref: "a", reason: "wipe" });
  });

  it("no longer exist after they are closed", async () => {
    const simulator = await start();
    await post(simulator, "/v1/zones", zone("a"));
    const close = () => callControl(simulator, "DELETE", "/v1/zones/a");
    expect(await close()).toEqual(buildOkAnswer({ leaseId: "a", closed: true }));
    expect(await close()).toEqual(refused(404, "NOT_FOUND"));
    expect(timesOf(simulator, "zone.closed")).toEqual({ a: 1 });
  });

  it("can be placed at a monument whose label is unique", async () => {
    const simulator = await start();
    const at = (monument: string) =>
      post(simulator, "/v1/zones", { ...zone("a"), at: { monument } });
    expect(await at("gas_station")).toEqual(
      buildInvalidAnswer("at", "there are several gas_station"),
    );
    expect(await at("atlantis")).toEqual(refused(404, "NOT_FOUND"));
    expect((await at("outpost")).status).toBe(200);
    const outpost = simulator.world.save.monuments.find(({ label }) => label === "outpost");
    expect(simulator.world.leases.get("a")?.at).toEqual({ x: outpost?.x, y: 0, z: outpost?.z });
  });

  it.each([
    ["zones", {}],
    ["pve", { ruleset: "pvp" }],
    ["domes", { dome: { enabled: true, darkness: 3 } }],
  ])("are answered 422 if the helper %s is missing", async (helper, more) => {
    const simulator = await start();
    simulator.faults.trigger("helperMissing", { helper });
    const preset = { ...zone("a").preset, ...more };
    expect(await post(simulator, "/v1/zones", { ...zone("a"), preset })).toEqual(
      refused(422, "UNSUPPORTED", { helper }),
    );
    expect(timesOf(simulator, "zone.opened")).toEqual({});
  });
});

describe("NPCs", () => {
  const boss = { key: "boss", displayName: "Boss", health: 100, boss: true };
  const camp = {
    name: "camp",
    profileKey: "boss",
    anchor: "world",
    x: 5,
    z: 6,
    count: 2,
    respawnSec: 30,
    enabled: true,
  };

  const placed = async (simulator: SurvivalSimulator): Promise<void> => {
    const profiles = { revision: 1, profiles: [boss], factions: [], remove: [] };
    await put(simulator, "/v1/npc/profiles", profiles);
    await put(simulator, "/v1/npc/placements", { placements: [camp] }, "p");
  };

  it("accept profiles from the site, and return the former profiles of the game with the same keys", async () => {
    const simulator = await start();
    const warlord = simulator.world.npcs.profiles.get("warlord")?.document;
    const set = (revision: number) =>
      put(simulator, "/v1/npc/profiles", {
        revision,
        profiles: [
          { ...boss, key: "warlord" },
          { ...boss, key: "No!" },
        ],
        factions: [{ a: "red", b: "blue", stance: "hostile" }],
        remove: ["scientist"],
      });
    const rejected = [{ key: "No!", reason: "the key is malformed" }];
    expect(await set(1)).toEqual(
      buildOkAnswer({ replaced: [{ key: "warlord", document: warlord }], rejected }),
    );
    expect(await set(2)).toEqual(buildOkAnswer({ replaced: [], rejected }));
    expect([...simulator.world.npcs.profiles.keys()]).toEqual(["warlord"]);
  });

  it("spawn at their placements, and each placement that cannot spawn is answered with its problem", async () => {
    const simulator = await start();
    await put(simulator, "/v1/npc/profiles", { revision: 1, profiles: [boss] });
    const answer = await put(simulator, "/v1/npc/placements", {
      placements: [
        camp,
        { ...camp, name: "lost", profileKey: "nobody" },
        { ...camp, name: "far", anchor: "monument", monument: "atlantis" },
        { ...camp, name: "off", enabled: false },
      ],
    });
    expect(answer).toEqual(
      buildOkAnswer({
        spawned: ["camp"],
        problems: [
          { name: "lost", problem: "unknown profile nobody" },
          { name: "far", problem: "unknown monument" },
          { name: "off", problem: "disabled" },
        ],
      }),
    );
    const { placements } = lastOf(simulator, "npc.placements").payload as { placements: unknown[] };
    expect(placements[0]).toEqual({
      name: "camp",
      spawned: true,
      alive: 2,
      expected: 2,
      lastSpawnAt: noon,
      lastDeathAt: null,
      problem: null,
    });
    expect(placements[1]).toMatchObject({ spawned: false, alive: 0, expected: 0 });
    expect(timesOf(simulator, "npc.spawned")).toEqual({ camp: 2 });
  });

  it("lose health in steps, and their death names the killer and the contributors", async () => {
    const simulator = await start();
    await placed(simulator);
    const [killer, helper] = [findPlayerByIndex(simulator, 0), findPlayerByIndex(simulator, 1)];
    const from = simulator.buffer.log.length;
    const turn = { turn: "killNpc", by: killer.steamId, placement: "camp" } as const;
    const { netId } = simulator.turn({ ...turn, helpers: [helper.steamId] }) as { netId: string };
    const { saveId } = simulator.world.save;
    const events = simulator.buffer.log.slice(from);
    expect(events.map(({ kind, eventKey }) => [kind, eventKey])).toEqual([
      ["survival.npc.health", `npchealth:${saveId}:${netId}:75`],
      ["survival.npc.health", `npchealth:${saveId}:${netId}:50`],
      ["survival.npc.health", `npchealth:${saveId}:${netId}:25`],
      ["survival.npc.health", `npchealth:${saveId}:${netId}:10`],
      ["survival.npc.died", `npcdied:${saveId}:${netId}`],
      ["npc.placements", null],
    ]);
    expect(events[4]?.payload).toEqual({
      netId,
      profile: "boss",
      placement: "camp",
      name: "Boss",
      boss: true,
      killer: { steamId: killer.steamId, name: killer.name },
      contributors: [
        { steamId: helper.steamId, damage: 50 },
        { steamId: killer.steamId, damage: 50 },
      ],
      weapon: "rifle.ak",
      distance: 12.5,
      x: 5,
      z: 6,
      grid: expect.any(String),
      alive: 1,
    });
  });

  it("can die without a killer", async () => {
    const simulator = await start();
    await placed(simulator);
    simulator.turn({ turn: "killNpc", by: null, placement: "camp" });
    const { payload } = lastOf(simulator, "survival.npc.died");
    expect(payload).not.toHaveProperty("killer");
    expect(payload["contributors"]).toEqual([]);
  });

  it("respawn after their time, or at once on request", async () => {
    const hand = createManualClock();
    const simulator = await start({ clock: hand.clock });
    await placed(simulator);
    const alive = () => simulator.world.npcs.alive.size;
    simulator.turn({ turn: "killNpc", by: null, placement: "camp" });
    hand.pass(29_999);
    simulator.tick();
    expect(alive()).toBe(1);
    hand.pass(1);
    simulator.tick();
    expect(alive()).toBe(2);
    simulator.turn({ turn: "killNpc", by: null, placement: "camp" });
    const respawn = () => post(simulator, "/v1/npc/placements/camp/respawn", {}, "r");
    expect(await respawn()).toEqual(buildOkAnswer({ spawned: 1 }));
    expect(await respawn()).toEqual(buildOkAnswer({ spawned: 1 }));
    expect(alive()).toBe(2);
    expect(timesOf(simulator, "npc.spawned")).toEqual({ camp: 3 });
    expect(await post(simulator, "/v1/npc/placements/none/respawn")).toEqual(
      refused(404, "NOT_FOUND"),
    );
  });

  it("get new ids after a restart", async () => {
    const simulator = await start();
    await placed(simulator);
    const before = [...simulator.world.npcs.alive.keys()];
    simulator.faults.trigger("restart", { downMs: 0 });
    await waitForNextEvent(simulator, "npc.placements");
    const after = [...simulator.world.npcs.alive.keys()];
    expect(after).toHaveLength(2);
    expect(after.filter((netId) => before.includes(netId))).toEqual([]);
  });

  it("can be renamed unless the name is taken", async () => {
    const simulator = await start();
    const placements = [camp, { ...camp, name: "two" }];
    await put(simulator, "/v1/npc/profiles", { revision: 1, profiles: [boss] });
    await put(simulator, "/v1/npc/placements", { placements });
    const rename = (name: string) => post(simulator, "/v1/npc/placements/camp/rename", { name });
    expect(await rename("two")).toEqual(refused(409, "TAKEN"));
    expect(await rename("no/pe")).toEqual(buildInvalidAnswer("name", "malformed"));
    expect(await rename("third")).toEqual(buildOkAnswer({ name: "third" }));
    expect([...simulator.world.npcs.placements.keys()]).toEqual(["two", "third"]);
  });

  it("are answered 422 if the version of their plugin is too low", async () => {
    const simulator = await start();
    simulator.faults.trigger("npcApi", { version: 3 });
    expect(lastOf(simulator, "server.hello").payload["npcApi"]).toBe(3);
    expect(await put(simulator, "/v1/npc/profiles", { revision: 1 })).toEqual(
      refused(422, "UNSUPPORTED", { helper: "npcs", npcApi: 3 }),
    );
    expect((await put(simulator, "/v1/npc/placements", { placements: [] })).status).toBe(422);
  });
});

describe("permissions", () => {
  const push = async (simulator: SurvivalSimulator, body: object, key = "k") => {
    const synced = waitForNextEvent(simulator, "perm.sync");
    const answer = await post(simulator, "/v1/perm/push", { pushId: "p1", ...body }, key);
    await synced;
    return answer;
  };

  it("are pushed, and the event perm.sync names each operation that failed and no other", async () => {
    const simulator = await start();
    const { steamId } = findPlayerByIndex(simulator, 9);
    const answer = await push(simulator, {
      groups: [
        { name: "vip", title: "VIP", rank: 1, parent: "default", grant: ["kits.vip"], revoke: [] },
        { name: "odd", title: "", rank: 1, parent: "nowhere", grant: [], revoke: [] },
      ],
      users: [
        {
          steamId,
          grant: ["backpacks.use", "gone.node"],
          revoke: [],
          join: ["vip", "no"],
          leave: [],
        },
        { steamId: "1", grant: ["backpacks.use"], revoke: [], join: [], leave: [] },
      ],
      remove: ["oldvip"],
    });
    expect(answer).toEqual({ status: 202, body: { pushId: "p1" } });
    const group = { subjectKind: "group", kind: "group" };
    const user = { subjectKind: "user", subject: steamId };
    expect(lastOf(simulator, "perm.sync").payload).toEqual({
      pushId: "p1",
      ok: false,
      applied: 5,
      failed: [
        { op: "group", ...group, subject: "odd", value: "odd", reason: "unknown-group" },
        {
          op: "grant",
          ...user,
          kind: "permission",
          value: "gone.node",
          reason: "unknown-permission",
        },
        { op: "join", ...user, kind: "membership", value: "no", reason: "unknown-group" },
        {
          op: "grant",
          subjectKind: "user",
          subject: "1",
          kind: "permission",
          value: "backpacks.use",
          reason: "invalid-id",
        },
      ],
      at: noon,
    });
    const { groups, users } = simulator.world.permissions;
    expect(groups.get("vip")).toMatchObject({ title: "VIP", parent: "default" });
    expect(groups.has("oldvip")).toBe(false);
    expect([...(users.get(steamId)?.groups ?? [])]).toContain("vip");
    expect(timesOf(simulator, "permission.applied")).toEqual({ p1: 1 });
  });

  it("are applied once per key", async () => {
    const simulator = await start();
    await push(simulator, { groups: [], users: [] });
    const again = await post(
      simulator,
      "/v1/perm/push",
      { pushId: "p1", groups: [], users: [] },
      "k",
    );
    expect(again.status).toBe(202);
    expect(simulator.received.commands.map(({ replayed }) => replayed)).toEqual([false, true]);
    expect(timesOf(simulator, "permission.applied")).toEqual({ p1: 1 });
  });

  it("are unknown if their plugin is not loaded", async () => {
    const simulator = await start();
    const { steamId } = findPlayerByIndex(simulator, 0);
    simulator.turn({ turn: "unloadPlugin", name: "Backpacks" });
    expect(lastOf(simulator, "plugin.unloaded").payload).toMatchObject({ name: "Backpacks" });
    const users = [{ steamId, grant: ["backpacks.use"] }];
    await push(simulator, { users });
    expect(lastOf(simulator, "perm.sync").payload).toMatchObject({ ok: false, applied: 0 });
    simulator.turn({ turn: "loadPlugin", name: "Backpacks" });
    await push(simulator, { pushId: "p2", users }, "k2");
    expect(lastOf(simulator, "perm.sync").payload).toMatchObject({ ok: true, applied: 1 });
  });

  it("are sent completely, in pages that have the same inventory id", async () => {
    const simulator = await start();
    const first = waitForNextEvent(simulator, "perm.inventory");
    const { status, body } = await getControlRoute(simulator, "/v1/perm/inventory");
    await first;
    const { inventoryId } = body as { inventoryId: string };
    const pages = simulator.buffer.log.filter(({ kind }) => kind === "perm.inventory");
    expect(status).toBe(202);
    expect(pages.map(({ payload }) => [payload["inventoryId"], payload["page"]])).toEqual(
      pages.map((_, index) => [inventoryId, index + 1]),
    );
    expect(pages[0]?.payload["groups"]).toContainEqual({
      name: "oldvip",
      title: "<b>Old VIP</b>",
      rank: 3,
      parent: "default",
      permissions: ["kits.vip"],
    });
    expect(pages[0]?.payload["permissions"]).toContainEqual({ name: "kits.vip", plugin: "Kits" });
    const users = pages.flatMap(({ payload }) => payload["users"] as { steamId: string }[]);
    const all = ["server_console", ...simulator.world.players.keys()];
    expect(users.map(({ steamId }) => steamId)).toEqual(all);
  });

  it("are reported if they change in the game, except for a simulated drift without an event", async () => {
    const simulator = await start();
    const { steamId } = findPlayerByIndex(simulator, 0);
    const edit = { op: "grant", subjectKind: "user", subject: steamId, value: "vanish.allow" };
    const from = simulator.buffer.log.length;
    simulator.turn({ turn: "permission", ...edit } as Parameters<typeof simulator.turn>[0]);
    simulator.turn({ turn: "drift", ...edit, op: "revoke" } as Parameters<
      typeof simulator.turn
    >[0]);
    expect(survivalEventsSince(simulator, from)).toEqual([["perm.changed", { ...edit, at: noon }]]);
    const held = simulator.world.permissions.users.get(steamId)?.permissions;
    expect(held?.has("vanish.allow")).toBe(false);
  });
});

describe("rewards", () => {
  const kit = (entitlementId: number, more: object = {}) => ({
    entitlementId,
    steamId: "76561198012345600",
    kit: "event",
    uses: 1,
    ...more,
  });

  it("are granted once, even under another idempotency key", async () => {
    const simulator = await start();
    const entitle = (key: string) => post(simulator, "/v1/kits/entitle", kit(5), key);
    expect(await entitle("a")).toEqual(buildOkAnswer({ state: "delivered" }));
    expect(await entitle("a")).toEqual(buildOkAnswer({ state: "delivered" }));
    expect(await entitle("b")).toEqual(buildOkAnswer({ state: "delivered" }));
    expect(timesOf(simulator, "kit.entitled")).toEqual({ "5": 1 });
    simulator.turn({ turn: "redeemKit", entitlementId: 5 });
    expect(lastOf(simulator, "kit.redeemed").payload).toEqual({
      entitlementId: 5,
      steamId: "76561198012345600",
      kit: "event",
      at: noon,
    });
    expect(await entitle("c")).toEqual(buildOkAnswer({ state: "redeemed" }));
  });

  it("are answered 422 for an unknown kit or if the kits mod is not loaded", async () => {
    const simulator = await start();
    const entitle = (body: object) => post(simulator, "/v1/kits/entitle", { ...body });
    expect(await entitle(kit(5, { kit: "gold" }))).toEqual(
      refused(422, "UNSUPPORTED", { kit: "gold", reason: "unknown kit" }),
    );
    expect(await entitle(kit(5, { steamId: "7" }))).toEqual(
      buildInvalidAnswer("steamId", "must be a SteamID64"),
    );
    simulator.faults.trigger("helperMissing", { helper: "kits" });
    expect(await entitle(kit(5))).toEqual(refused(422, "UNSUPPORTED", { helper: "kits" }));
  });

  it("expire by the plugin's clock", async () => {
    const hand = createManualClock();
    const simulator = await start({ clock: hand.clock });
    await post(simulator, "/v1/kits/entitle", kit(5, { expiresAt: noon + 1_000 }));
    const opening = { participationId: 9, method: "command", ttlSec: 1 };
    await post(simulator, "/v1/participation/open", opening);
    const from = simulator.buffer.log.length;
    hand.pass(1_000);
    simulator.tick();
    const at = noon + 1_000;
    expect(survivalEventsSince(simulator, from)).toEqual([
      ["world.expired", { what: "participation", ref: "9", reason: "timeout", at }],
      ["world.expired", { what: "kit", ref: "5", reason: "timeout", at }],
    ]);
  });

  it("go to the participants, whose final list stays the same however often the site collects it", async () => {
    const simulator = await start();
    const [one, two] = [findPlayerByIndex(simulator, 0), findPlayerByIndex(simulator, 1)];
    const opening = { participationId: 9, method: "zone", zoneId: "site-a", ttlSec: 60 };
    expect(await post(simulator, "/v1/participation/open", opening)).toEqual(
      buildOkAnswer({ participationId: 9, leaseUntil: noon + 60_000 }),
    );
    const takePart = (steamId: string) =>
      simulator.turn({ turn: "takePart", steamId, participationId: 9 });
    takePart(one.steamId);
    takePart(one.steamId);
    const joined = simulator.buffer.log.filter(({ kind }) => kind === "participation.joined");
    expect(joined.map(({ payload }) => payload)).toEqual([
      { participationId: 9, steamId: one.steamId, name: one.name, at: noon },
    ]);
    const member = { steamId: one.steamId, name: one.name, firstAt: noon, lastAt: noon, score: 2 };
    const collect = () => post(simulator, "/v1/participation/9/collect");
    expect(await collect()).toEqual(buildOkAnswer({ members: [member] }));
    expect(() => takePart(two.steamId)).toThrow("no open participation 9");
    expect(await collect()).toEqual(buildOkAnswer({ members: [member] }));
    expect(timesOf(simulator, "participation.collected")).toEqual({ "9": 1 });
    expect(await post(simulator, "/v1/participation/8/collect")).toEqual(refused(404, "NOT_FOUND"));
  });

  it("count damage to an NPC as participation", async () => {
    const simulator = await start();
    const { steamId } = findPlayerByIndex(simulator, 0);
    const opening = { participationId: 9, method: "kill", profile: "warlord", ttlSec: 60 };
    await post(simulator, "/v1/participation/open", opening);
    const placements = [{ name: "w", profileKey: "warlord", count: 1 }];
    await put(simulator, "/v1/npc/placements", { placements });
    simulator.turn({ turn: "killNpc", by: steamId, placement: "w" });
    const { body } = await post(simulator, "/v1/participation/9/collect");
    expect(body).toMatchObject({ members: [{ steamId, score: 2_000 }] });
  });

  it("are rejected if their participation is malformed", async () => {
    const simulator = await start();
    const open = (body: object) => post(simulator, "/v1/participation/open", { ...body });
    const opening = { participationId: 9, method: "zone", ttlSec: 60 };
    expect(await open(opening)).toEqual(buildInvalidAnswer("zoneId", "is required"));
    expect((await open({ ...opening, method: "dance" })).status).toBe(400);
    expect((await open({ ...opening, participationId: "9" })).status).toBe(400);
  });
});

describe("announcements, titles and integrations", () => {
  it("reach all online players, and only once if they are repeated with the same key", async () => {
    const simulator = await start();
    const say = () => post(simulator, "/v1/announce", { message: "Hi", channel: "toast" }, "k");
    expect(await say()).toEqual(buildOkAnswer({ delivered: 12 }));
    expect(await say()).toEqual(buildOkAnswer({ delivered: 12 }));
    expect(timesOf(simulator, "announced")).toEqual({ k: 1 });
    expect((await post(simulator, "/v1/announce", { message: "x".repeat(513) })).status).toBe(400);
  });

  it("have a message style and titles only if the chat mod is loaded", async () => {
    const simulator = await start();
    const titles = {
      mode: "upTo",
      max: 2,
      holders: [{ steamId: "76561198012345600", titles: [] }],
    };
    expect(await put(simulator, "/v1/titles", titles)).toEqual(
      buildOkAnswer({ ok: true, holders: 1 }),
    );
    expect(await put(simulator, "/v1/voice", { name: "Herald" })).toEqual(
      buildOkAnswer({ ok: true }),
    );
    expect(simulator.world.titles).toEqual(titles);
    expect(simulator.world.voice).toEqual({ name: "Herald" });
    expect((await put(simulator, "/v1/titles", { ...titles, max: 11 })).status).toBe(400);
    simulator.faults.trigger("helperMissing", { helper: "chat" });
    const unsupported = refused(422, "UNSUPPORTED", { helper: "chat" });
    expect(await put(simulator, "/v1/titles", titles)).toEqual(unsupported);
    expect(await put(simulator, "/v1/voice", {})).toEqual(unsupported);
  });

  it("report which helpers are loaded", async () => {
    const simulator = await start({ framework: "carbon" });
    const { body } = await getControlRoute(simulator, "/v1/integrations");
    expect(body).toMatchObject({ framework: { name: "carbon", version: "2.0.203" } });
    const { integrations } = body as { integrations: unknown[] };
    const version = "3.1.7";
    expect(integrations[0]).toEqual({ id: "zones", mod: "ZoneManager", loaded: true, version });
    expect(integrations).toContainEqual({
      id: "quests",
      mod: "Quests",
      loaded: false,
      version: null,
    });
  });
});

describe("a link code for a Steam account", () => {
  const mint = (simulator: SurvivalSimulator, steamId: string): string =>
    (simulator.turn({ turn: "mintCode", steamId }) as { code: string }).code;

  it("works once and names the player", async () => {
    const simulator = await start();
    const { steamId, name } = findPlayerByIndex(simulator, 0);
    const code = mint(simulator, steamId);
    const redeem = (key: string) => post(simulator, "/v1/link/redeem", { code }, key);
    expect(await redeem("a")).toEqual(buildOkAnswer({ steamId, name }));
    expect(await redeem("a")).toEqual(buildOkAnswer({ steamId, name }));
    expect(await redeem("b")).toEqual(refused(404, "NOT_FOUND"));
    expect(JSON.stringify(lastOf(simulator, "link.minted"))).not.toContain(code);
  });

  it("expires after five minutes", async () => {
    const hand = createManualClock();
    const simulator = await start({ clock: hand.clock });
    const code = mint(simulator, findPlayerByIndex(simulator, 0).steamId);
    hand.pass(300_000);
    expect(await post(simulator, "/v1/link/redeem", { code })).toEqual(refused(404, "NOT_FOUND"));
  });
});

describe("the map", () => {
  it("is an image whose bytes match its hash", async () => {
    const simulator = await start();
    const response = await fetch(`${simulator.baseUrl}/v1/map/fetch`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${simulator.token}`,
        "x-bridge-protocol": "13",
        "x-request-id": "r",
      },
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const info = lastOf(simulator, "map.info").payload;
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": String(bytes.length),
      "x-map-hash": sha256(bytes),
      "x-map-width": "64",
      "x-map-height": "64",
      "x-map-ocean-margin": "8",
      "x-map-background": "#12404a",
      "x-map-world-size": "3000",
      "x-map-save-id": String(simulator.world.save.saveId),
    });
    expect(Buffer.from(bytes.subarray(0, 8)).toString("hex")).toBe("89504e470d0a1a0a");
    expect(info).toMatchObject({ imageHash: sha256(bytes), width: 64, height: 64, oceanMargin: 8 });
    const labels = (info["monuments"] as { label: string }[]).map(({ label }) => label);
    expect(labels.filter((label) => label === "gas_station")).toHaveLength(4);
  });

  it("gets another image when the site requests a rendering, and a request for a missing image is answered 422", async () => {
    const simulator = await start();
    const before = lastOf(simulator, "map.info").payload["imageHash"];
    const rendered = waitForNextEvent(simulator, "map.info");
    expect(await post(simulator, "/v1/map/render", { scale: 0.5 })).toEqual({
      status: 202,
      body: { scale: 0.5 },
    });
    await rendered;
    const info = lastOf(simulator, "map.info").payload;
    expect(info).toMatchObject({ width: 32, oceanMargin: 4 });
    expect(info["imageHash"]).not.toBe(before);
    expect(await post(simulator, "/v1/map/render", { scale: 2 })).toEqual(
      buildInvalidAnswer("scale", "must be from 0.1 to 1"),
    );
    simulator.faults.trigger("noImage");
    expect(await post(simulator, "/v1/map/fetch")).toEqual(refused(422, "NO_IMAGE"));
  });
});

describe("configurations", () => {
  interface Document {
    readonly text: string;
    readonly hash: string;
  }

  const read = async (simulator: SurvivalSimulator, plugin: string): Promise<Document> =>
    (await getControlRoute(simulator, `/v1/config/${plugin}`)).body as Document;

  const outcomeOf = async (simulator: SurvivalSimulator, text: string, more: object = {}) => {
    const { hash } = await read(simulator, "Kits");
    const settled = waitForNextEvent(simulator, "config.outcome");
    const body = { writeId: "w1", text, baseHash: hash, ...more };
    const answer = await put(simulator, "/v1/config/Kits", body, "k");
    expect(answer).toEqual({ status: 202, body: { writeId: "w1" } });
    await settled;
    return lastOf(simulator, "config.outcome");
  };

  it.each([
    ["oxide", "oxide/config/Kits.json"],
    ["carbon", "carbon/configs/Kits.json"],
  ] as const)("are stored in the folders that %s uses", async (framework, file) => {
    const simulator = await start({ framework });
    const { files } = (await getControlRoute(simulator, "/v1/config")).body as {
      files: { plugin: string }[];
    };
    const { text, hash } = await read(simulator, "Kits");
    expect(hash).toBe(sha256(text));
    expect(files.find(({ plugin }) => plugin === "Kits")).toEqual({
      plugin: "Kits",
      file,
      loaded: true,
      version: "3.1.7",
      bytes: Buffer.byteLength(text),
      hash,
      modifiedAt: noon - 2 * 86_400_000,
      editable: true,
    });
    expect(await getControlRoute(simulator, "/v1/config/NativeClans")).toEqual(
      refused(404, "NOT_FOUND"),
    );
  });

  it("contain comments, trailing commas, NaN, ids too large for a number, and secrets", async () => {
    const simulator = await start();
    const kits = await read(simulator, "Kits");
    expect(kits.text).toMatch(/\/\/ A configuration/);
    expect(kits.text).toMatch(/NaN/);
    expect(kits.text).toMatch(/"builder",\n {2}\]/);
    const { text } = await read(simulator, "PlaytimeTracker");
    expect(text).toMatch(/18446744073709551615/);
    expect(text).toMatch(/canary-mysql-password/);
  });

  it("are rewritten by the plugin in its own format", async () => {
    const simulator = await start();
    const before = await read(simulator, "Kits");
    const text =
      '{\n  // note\n  "Url": "http://x//y",\n  "Id": 76561198012345679,\n  "N": NaN,\n}\n';
    const { eventKey, payload } = await outcomeOf(simulator, text);
    const written = '{\n  "Url": "http://x//y",\n  "Id": 76561198012345679,\n  "N": NaN\n}\n';
    expect(eventKey).toBe("config:w1");
    expect(payload).toEqual({
      writeId: "w1",
      plugin: "Kits",
      ok: true,
      phase: "load",
      beforeHash: before.hash,
      afterHash: sha256(written),
      rolledBack: false,
      logTail: [
        "> oxide.reload Kits",
        "Unloaded plugin Kits v3.1.7 by k1lly0u",
        "Loaded plugin Kits v3.1.7 by k1lly0u",
      ],
    });
    expect((await read(simulator, "Kits")).text).toBe(written);
    expect(kindsOf(simulator.buffer.log).at(-1)).toBe("plugin.loaded");
    expect(timesOf(simulator, "config.written")).toEqual({ w1: 1 });
  });

  it("get an outcome even if they are written without a reload", async () => {
    const simulator = await start();
    const { payload } = await outcomeOf(simulator, '{"a":1,}', { reload: false });
    expect(payload).toMatchObject({ ok: true, phase: "write", rolledBack: false });
    expect((await read(simulator, "Kits")).text).toBe('{"a":1,}');
  });

  it.each([
    ["not JSON", '{"a": '],
    ["rejected by the plugin", '{"FailOnLoad": true}'],
  ])("are rolled back if the text is %s", async (_, text) => {
    const simulator = await start();
    const before = await read(simulator, "Kits");
    const { payload } = await outcomeOf(simulator, text);
    expect(payload).toMatchObject({
      ok: false,
      phase: "load",
      message: expect.any(String),
      rolledBack: true,
      beforeHash: before.hash,
      afterHash: before.hash,
    });
    expect(await read(simulator, "Kits")).toEqual(before);
  });

  it("leave the plugin unloaded if it rejects the text and the write forbids a rollback", async () => {
    const simulator = await start();
    const { payload } = await outcomeOf(simulator, "[]", { rollbackOnFailure: false });
    expect(payload).toMatchObject({ ok: false, rolledBack: false, afterHash: sha256("[]") });
    expect(kindsOf(simulator.buffer.log).at(-1)).toBe("plugin.unloaded");
  });

  it("appear with their secrets in plain text in the log of the plugin", async () => {
    const simulator = await start();
    const { payload } = await outcomeOf(simulator, '{"API Key": "canary-written-key"}');
    expect(payload["logTail"]).toContain("[Kits] connecting with canary-written-key");
  });

  it("are answered 409 if the file has changed since it was read", async () => {
    const simulator = await start();
    const { hash } = await read(simulator, "Kits");
    const body = { writeId: "w1", text: "{}", baseHash: "0".repeat(64) };
    expect(await put(simulator, "/v1/config/Kits", body)).toEqual(
      refused(409, "CONFLICT", { currentHash: hash }),
    );
    expect(await put(simulator, "/v1/config/Nope", body)).toEqual(refused(404, "NOT_FOUND"));
  });
});
