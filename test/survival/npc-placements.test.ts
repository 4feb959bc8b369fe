import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { clockNow } from "../../models/queries/clock.ts";
import { runSyncJob } from "../../shared/survival/sync/delivery/run-sync.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { activityOf } from "../support/factories/site.ts";
import { buildPlacements, deleteNpcs } from "../support/factories/survival-npcs.ts";
import {
  buildSurvivalServer,
  changeSurvivalSource,
  deleteOtherServers,
} from "../support/factories/survival.ts";
import { anyRevision } from "../support/http/any-revision.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { countStatuses, makeList } from "../support/races/race.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startSurvivalGame, type SurvivalGameSite } from "../support/survival/survival-game.ts";

let server: TestServer;
let admin: SignedIn;
let moderator: SignedIn;
let game: SurvivalGameSite;
let serverId: number;
/** The id of the profile that the placements have. */
let profileId: number;

beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
  moderator = await signIn(server, { role: "moderator" });
  game = await startSurvivalGame(server);
  serverId = game.server.id;
});
afterAll(async () => {
  await game.simulator.stop();
  await server.stop();
});

beforeEach(async () => {
  await deleteNpcs(server);
  await deleteAll(server, "SurvivalPush", "SurvivalLedgerEntry");
  await deleteOtherServers(server, serverId);
  const { npcs } = game.simulator.world;
  npcs.placements.clear();
  npcs.alive.clear();
  game.simulator.faults.trigger("npcApi", { version: 4 });
  game.simulator.emit("server.status", { state: "online", players: 1, maxPlayers: 100 });
  await heard();
  const body = { key: "forest-boss", displayName: "Forest boss" };
  const made = await callRoute(server, "POST /admin/survival/npcs", {
    body,
    headers: admin.headers,
  });
  profileId = (made.body as { profile: { id: number } }).profile.id;
  await work();
});

/** Ingests the events of the game and makes its link appear connected. */
async function heard(): Promise<void> {
  await game.hear();
  await changeSurvivalSource(server, serverId, {
    state: "connected",
    pluginConnected: true,
    owner: "test",
    beatAt: clockNow(),
    bootId: game.simulator.game.bootId,
  });
}

/** Executes the requested synchronization, as the job does. */
const work = () => runSyncJob({ serverId, name: "npcs" }, server.context);

const ask = (route: string, body?: object, { headers } = admin, id = serverId) => {
  const [method = "GET", path = ""] = route.split(" ");
  return callRoute(server, `${method} /admin/survival/npcs/servers/${id}/placements${path}`, {
    body,
    headers,
  });
};
const said = async (...given: Parameters<typeof ask>) => statusAndBodyOf(await ask(...given));

const unknown = 2_000_000_000;
const place = { name: "Dome boss", profileKey: "forest-boss", x: 10.5, y: 20, z: -30 };

const made = async (given: object = {}): Promise<number> => {
  const { body } = await ask("POST ", { ...place, ...given });
  return (body as { placement: { id: number } }).placement.id;
};

/** The state of a placement about which the game has reported nothing. */
const untold = {
  spawned: false,
  alive: null,
  expected: null,
  lastSpawnAt: null,
  lastDeathAt: null,
  problem: null,
};

const placementOf = (given: object) => ({
  id: expect.any(Number),
  serverId,
  ...place,
  anchor: "world",
  monument: null,
  rotation: 0,
  count: 1,
  radius: 0,
  respawnSec: 300,
  enabled: true,
  onWipe: "drop",
  live: untold,
  revision: anyRevision,
  createdAt: anyTime,
  updatedAt: anyTime,
  updatedBy: admin.username,
  ...given,
});

const listed = async () => {
  const { body } = await ask("GET ");
  return (body as { placements: { readonly live: object; readonly enabled: boolean }[] })
    .placements;
};

const ledger = () =>
  storedRows(server.context.models.SurvivalLedgerEntry, ["what", "state", "reason"]);
const inGame = () => [...game.simulator.world.npcs.placements.keys()];

describe("an NPC placement", () => {
  it("is created, pushed, and shown with its state in the game", async () => {
    expect(await said("POST ", { ...place, count: 3 })).toEqual([
      201,
      { placement: placementOf({ count: 3 }) },
    ]);
    expect(await said("GET ")).toEqual([
      200,
      { placements: [placementOf({ count: 3 })], live: expect.any(Boolean) },
    ]);
    await work();
    await heard();
    const live = {
      spawned: true,
      alive: 3,
      expected: 3,
      lastSpawnAt: anyTime,
      lastDeathAt: null,
      problem: null,
    };
    expect(await said("GET ")).toEqual([
      200,
      { placements: [placementOf({ count: 3, live })], live: true },
    ]);
    expect(await ledger()).toEqual([
      { what: "npc", state: "confirmed", reason: null },
      { what: "placement", state: "confirmed", reason: null },
    ]);
    await changeSurvivalSource(server, serverId, { state: "reconnecting" });
    expect(await said("GET ")).toEqual([
      200,
      { placements: [placementOf({ count: 3 })], live: false },
    ]);
  });

  it("is shown without the counts of an earlier game process", async () => {
    await made();
    await work();
    await heard();
    expect(await said("GET ")).toMatchObject([200, { live: true }]);
    await changeSurvivalSource(server, serverId, { bootId: "another" });
    expect(await said("GET ")).toMatchObject([
      200,
      { live: false, placements: [{ live: untold }] },
    ]);
  });

  it("has coordinates relative to its monument, and is kept at a wipe by default", async () => {
    const body = {
      name: "Guards",
      profileKey: "forest-boss",
      anchor: "monument",
      monument: "launchsite",
    };
    expect(await said("POST ", body)).toEqual([
      201,
      { placement: placementOf({ ...body, x: 0, y: 0, z: 0, onWipe: "keep" }) },
    ]);
  });

  it("is changed only in the given fields", async () => {
    const id = await made({ radius: 5 });
    const changed = placementOf({ id, radius: 5, count: 7, respawnSec: null });
    expect(await said(`PUT /${id}`, { count: 7, respawnSec: null, name: "Dome boss" })).toEqual([
      200,
      { placement: changed },
    ]);
    expect(await said(`PUT /${id}`, { anchor: "monument" })).toMatchObject([
      400,
      { errors: [{ path: "monument" }] },
    ]);
    expect(await said(`PUT /${id}`, { name: "Other" })).toMatchObject([
      400,
      {
        errors: [
          {
            path: "name",
            message: "name cannot be changed here: use the route that renames a placement",
          },
        ],
      },
    ]);
    expect(await said("GET ")).toMatchObject([200, { placements: [changed] }]);
  });

  it("is deleted with its NPCs in the game", async () => {
    const id = await made();
    await work();
    expect(inGame()).toEqual(["Dome boss"]);
    expect(await said(`DELETE /${id}`)).toEqual([200, { id }]);
    expect(await said(`DELETE /${id}`)).toEqual([404, { error: "Unknown placement" }]);
    await work();
    expect(inGame()).toEqual([]);
  });

  it("is pushed only after the site has its first placement, and until then the placements of the game stay", async () => {
    const { commands } = game.simulator.received;
    game.simulator.emit("server.hello", game.simulator.game.helloFacts());
    await heard();
    const before = commands.length;
    await work();
    expect(commands.slice(before).map(({ path }) => path)).toEqual(["/v1/npc/profiles"]);
  });

  it.each<[string, object, string]>([
    ["no name", { name: undefined }, "name"],
    ["a name of dots only", { name: ".." }, "name"],
    ["a name of spaces only", { name: "  " }, "name"],
    ["a slash in its name", { name: "a/b" }, "name"],
    ["a name that is too long", { name: "x".repeat(65) }, "name"],
    ["an unknown profile", { profileKey: "nobody" }, "profileKey"],
    ["no coordinates", { x: undefined }, "x"],
    ["a coordinate that is not a number", { x: "1" }, "x"],
    ["a count of 0", { count: 0 }, "count"],
    ["too high a count", { count: 51 }, "count"],
    ["a respawn time that is too short", { respawnSec: 9 }, "respawnSec"],
    ["an unknown anchor", { anchor: "player" }, "anchor"],
    ["no monument", { anchor: "monument" }, "monument"],
    ["an unknown rule for wipes", { onWipe: "move" }, "onWipe"],
  ])("is refused if it has %s", async (_what, given, path) => {
    expect(await said("POST ", { ...place, ...given })).toMatchObject([
      400,
      { error: "Validation failed", errors: [{ path }] },
    ]);
    expect(await listed()).toEqual([]);
  });

  it("has a unique name on its server, even if eight requests want it at once", async () => {
    const answers = await Promise.all(makeList(8, () => ask("POST ", place)));
    expect(countStatuses(answers)).toEqual({ 201: 1, 409: 7 });
    const other = await buildSurvivalServer(server);
    expect((await ask("POST ", place, admin, other.id)).status).toBe(201);
  });

  it("is refused beyond 500 per server, even if several are added at once", async () => {
    await buildPlacements(server, serverId, 499);
    const answers = await Promise.all(
      makeList(6, (index) => ask("POST ", { ...place, name: `one ${index}` })),
    );
    expect(countStatuses(answers)).toEqual({ 201: 1, 409: 5 });
    expect(await said("POST ", { ...place, name: "more" })).toEqual([
      409,
      { error: "The server already has 500 placements: delete one first" },
    ]);
  });

  it("answers 404 at the routes of another server", async () => {
    const id = await made();
    const other = await buildSurvivalServer(server);
    const gone = [404, { error: "Unknown placement" }];
    expect(await said(`PUT /${id}`, { count: 2 }, admin, other.id)).toEqual(gone);
    expect(await said(`DELETE /${id}`, undefined, admin, other.id)).toEqual(gone);
    expect(await said(`POST /${id}/rename`, { name: "Other" }, admin, other.id)).toEqual(gone);
    expect(await said(`POST /${id}/respawn`, {}, admin, other.id)).toEqual(gone);
    const missing = [404, { error: "Unknown server" }];
    expect(await said("GET ", undefined, admin, unknown)).toEqual(missing);
    expect(await said("POST ", place, admin, unknown)).toEqual(missing);
    expect(await said(`PUT /${id}`, { count: 2 }, admin, unknown)).toEqual(missing);
  });

  it("is open to administrators only", async () => {
    const routes = ["GET ", "POST ", "PUT /1", "DELETE /1", "POST /1/rename", "POST /1/respawn"];
    for (const route of routes) {
      const body = route.startsWith("GET") ? undefined : {};
      expect((await ask(route, body, moderator)).status).toBe(403);
    }
  });
});

describe("an NPC profile with placements", () => {
  const remove = (search = "") =>
    callRoute(server, `DELETE /admin/survival/npcs/profiles/${profileId}${search}`, {
      headers: admin.headers,
    });

  it("is deleted only by force, which disables its placements", async () => {
    const id = await made();
    expect(statusAndBodyOf(await remove())).toEqual([
      409,
      { error: "The profile has 1 placements" },
    ]);
    expect(statusAndBodyOf(await remove("?force=true"))).toEqual([200, { id: profileId }]);
    const off = { enabled: false, live: { problem: "profile deleted" } };
    expect(await said("GET ")).toMatchObject([200, { placements: [off] }]);
    expect(await said(`PUT /${id}`, { count: 2 })).toMatchObject([200, { placement: off }]);
    expect(await said(`PUT /${id}`, { enabled: true })).toMatchObject([
      400,
      { errors: [{ path: "profileKey", message: "there is no profile forest-boss" }] },
    ]);
  });

  it("is either deleted or used by a new placement, never both", async () => {
    const [deleted, ...added] = await Promise.all([
      remove(),
      ...makeList(4, (index) => ask("POST ", { ...place, name: `one ${index}` })),
    ]);
    const placements = added.filter(({ status }) => status === 201);
    expect([
      [200, 0],
      [409, placements.length],
    ]).toContainEqual([deleted?.status, placements.length]);
  });
});

describe("a new world of a survival server", () => {
  it("keeps the placements with the wipe rule keep and disables the others", async () => {
    await made({ name: "Of the map" });
    await made({ name: "Of every map", onWipe: "keep" });
    await work();
    const { saveId } = game.simulator.world.save;
    game.simulator.turn({ turn: "wipe" });
    await heard();
    const states = async () =>
      (await listed()).map(({ enabled, live }) => [
        enabled,
        (live as { problem: unknown }).problem,
      ]);
    expect(await states()).toEqual([
      [true, null],
      [false, "map changed"],
    ]);
    await work();
    expect(
      [...game.simulator.world.npcs.placements.values()].map(({ name, problem }) => [
        name,
        problem,
      ]),
    ).toEqual([
      ["Of every map", null],
      ["Of the map", "disabled"],
    ]);
    game.simulator.turn({ turn: "restore", saveId });
    await heard();
    await work();
    await heard();
    expect(await states()).toEqual([
      [true, null],
      [true, null],
    ]);
  });

  it("shows a disabled placement again after it is enabled", async () => {
    const id = await made();
    game.simulator.turn({ turn: "wipe" });
    await heard();
    expect(await said(`PUT /${id}`, { count: 2 })).toMatchObject([
      200,
      { placement: { enabled: false, live: { problem: "map changed" } } },
    ]);
    expect(await said(`PUT /${id}`, { enabled: true })).toMatchObject([
      200,
      { placement: { enabled: true, live: { problem: null } } },
    ]);
  });

  it("receives its placements when it is ready, and not before", async () => {
    await made();
    await work();
    const hello = { ...game.simulator.game.helloFacts(), worldReady: false };
    game.simulator.emit("server.hello", hello);
    await heard();
    const { commands } = game.simulator.received;
    const before = commands.length;
    await work();
    expect(commands.slice(before).map(({ path }) => path)).toEqual(["/v1/npc/profiles"]);
    game.simulator.emit("world.ready", { saveId: game.simulator.world.save.saveId });
    await heard();
    await work();
    expect(commands.slice(before + 1).map(({ path }) => path)).toEqual(["/v1/npc/placements"]);
  });
});

describe("renaming an NPC placement", () => {
  it("keeps its NPCs, and is sent in the name of the administrator", async () => {
    const id = await made({ count: 2 });
    await work();
    const alive = () => [...game.simulator.world.npcs.alive.values()];
    const before = alive().map(({ netId }) => netId);
    expect(await said(`POST /${id}/rename`, { name: "Old boss" })).toMatchObject([
      200,
      { placement: { id, name: "Old boss" } },
    ]);
    expect(game.simulator.received.commands.at(-1)).toMatchObject({
      path: "/v1/npc/placements/Dome%20boss/rename",
      actor: { username: admin.username },
    });
    await work();
    expect(inGame()).toEqual(["Old boss"]);
    expect(alive().map(({ netId, placement }) => [netId, placement])).toEqual(
      before.map((netId) => [netId, "Old boss"]),
    );
  });

  it("is refused if the name is taken, and works while the game is off", async () => {
    const id = await made();
    await made({ name: "Guards" });
    expect(await said(`POST /${id}/rename`, { name: "Guards" })).toEqual([
      409,
      { error: "The name is taken", errors: [{ path: "name", message: "name is taken" }] },
    ]);
    expect((await said(`POST /${id}/rename`, { name: "a/b" }))[0]).toBe(400);
    await work();
    game.simulator.faults.trigger("status", { status: 503, code: "SHARD_DOWN" });
    expect(await said(`POST /${id}/rename`, { name: "Old boss" })).toMatchObject([
      200,
      { placement: { name: "Old boss" } },
    ]);
    await work();
    expect(inGame().toSorted()).toEqual(["Guards", "Old boss"]);
  });

  it("gives the name to only one placement if six requests for it arrive at once", async () => {
    const ids = await Promise.all(makeList(6, (index) => made({ name: `one ${index}` })));
    const answers = await Promise.all(ids.map((id) => ask(`POST /${id}/rename`, { name: "Boss" })));
    expect(countStatuses(answers)).toEqual({ 200: 1, 409: 5 });
  });
});

describe("respawning the NPCs of a placement", () => {
  it("pushes pending changes first, and answers how many NPCs spawned", async () => {
    const id = await made({ count: 3 });
    expect(await said(`POST /${id}/respawn`, {})).toEqual([
      200,
      { placement: expect.objectContaining({ id, name: "Dome boss" }), spawned: 0 },
    ]);
    game.simulator.turn({ turn: "killNpc", by: null, placement: "Dome boss" });
    game.simulator.turn({ turn: "killNpc", by: null, placement: "Dome boss" });
    expect(await said(`POST /${id}/respawn`, {})).toMatchObject([200, { spawned: 2 }]);
    expect(await ledger()).toMatchObject([
      { what: "npc", state: "confirmed" },
      { what: "placement", state: "confirmed" },
      { what: "placement", state: "confirmed" },
      { what: "placement", state: "confirmed" },
    ]);
    const done = await activityOf(server, { action: "survival.npc.respawned" }, ["detail"]);
    const detail = { serverId, name: "Dome boss", outcome: "done", spawned: 2 };
    expect(done.at(-1)).toEqual({ detail });
  });

  it("happens once for one idempotency key", async () => {
    const id = await made({ count: 2 });
    await work();
    const headers = { ...admin.headers, "idempotency-key": "once" };
    const keyed = { ...admin, headers };
    game.simulator.turn({ turn: "killNpc", by: null, placement: "Dome boss" });
    expect(await said(`POST /${id}/respawn`, {}, keyed)).toMatchObject([200, { spawned: 1 }]);
    game.simulator.turn({ turn: "killNpc", by: null, placement: "Dome boss" });
    expect(await said(`POST /${id}/respawn`, {}, keyed)).toMatchObject([200, { spawned: 1 }]);
    expect([...game.simulator.world.npcs.alive.values()]).toHaveLength(1);
  });

  it("answers 503 while the game is off, and the ledger records the attempt", async () => {
    const id = await made();
    await work();
    await deleteAll(server, "SurvivalLedgerEntry");
    game.simulator.faults.trigger("status", { status: 503, code: "SHARD_DOWN" });
    expect(await said(`POST /${id}/respawn`, {})).toEqual([
      503,
      { error: "The game server cannot be reached" },
    ]);
    expect(await ledger()).toEqual([{ what: "placement", state: "failed", reason: "SHARD_DOWN" }]);
  });

  it("is refused if the NPC plugin is too old", async () => {
    const id = await made();
    game.simulator.faults.trigger("npcApi", { version: 3 });
    await heard();
    expect(await said(`POST /${id}/respawn`, {})).toEqual([
      409,
      { error: "The server's NPC plugin is missing or too old" },
    ]);
  });
});
