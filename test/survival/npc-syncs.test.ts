import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { clockNowPlus } from "../../models/queries/clock.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { runSyncJob } from "../../shared/survival/sync/delivery/run-sync.ts";
import { requestSync } from "../../shared/survival/sync/request-sync.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { activityOf } from "../support/factories/site.ts";
import { changeFactionTable, deleteNpcs } from "../support/factories/survival-npcs.ts";
import { endPushPause, endPushWait } from "../support/factories/survival-pushes.ts";
import {
  buildSurvivalServer,
  changeSurvivalServers,
  deleteOtherServers,
} from "../support/factories/survival.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { waitUntilLockWaits } from "../support/races/overtake.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startSurvivalGame, type SurvivalGameSite } from "../support/survival/survival-game.ts";

let server: TestServer;
let admin: SignedIn;
let game: SurvivalGameSite;
let serverId: number;

beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
  game = await startSurvivalGame(server);
  serverId = game.server.id;
});
afterAll(async () => {
  await game.simulator.stop();
  await server.stop();
});

beforeEach(async () => {
  await deleteNpcs(server);
  await deleteAll(server, "SurvivalFactionPair", "SurvivalPush", "SurvivalLedgerEntry");
  await changeFactionTable(server, { updatedAt: null, updatedBy: null });
  await deleteOtherServers(server, serverId);
  await changeSurvivalServers(server, { enabled: true });
  const { npcs } = game.simulator.world;
  npcs.profiles.clear();
  npcs.placements.clear();
  npcs.alive.clear();
  npcs.factions = [];
  game.simulator.faults.trigger("npcApi", { version: 4 });
  await game.hear();
  await work();
});

const ask = (route: string, body?: object) => {
  const [method = "GET", path = ""] = route.split(" ");
  return callRoute(server, `${method} /admin/survival/npcs${path}`, {
    body,
    headers: admin.headers,
  });
};
const said = async (...given: Parameters<typeof ask>) => statusAndBodyOf(await ask(...given));

/** Executes the requested synchronization, as the job does. */
const work = () => runSyncJob({ serverId, name: "npcs" }, server.context);

/** Returns the commands that the sidecar gets during `act`. */
async function told(act: () => Promise<unknown>) {
  const before = game.simulator.received.commands.length;
  await act();
  return game.simulator.received.commands.slice(before).map(({ method, path, body, actor }) => ({
    line: `${method} ${path}`,
    body: typeof body === "string" ? (JSON.parse(body) as unknown) : body,
    actor,
  }));
}

interface Profile {
  readonly id: number;
  readonly revision: number;
  readonly push: readonly object[];
}

const profileIn = ({ body }: { readonly body: unknown }) => (body as { profile: Profile }).profile;
const made = async (key = "forest-boss", given: object = {}) =>
  profileIn(await ask("POST ", { key, displayName: "Forest boss", ...given }));
const read = async (id: number) => profileIn(await ask(`GET /profiles/${id}`));
const revisionsOf = async (id: number) => {
  const { body } = await ask(`GET /profiles/${id}`);
  return (body as { revisions: { readonly revision: number }[] }).revisions;
};

const system = { userId: null, username: "system", role: "system" };
const ledger = () =>
  storedRows(server.context.models.SurvivalLedgerEntry, ["what", "state", "reason"]);
const keysIn = (body: unknown) =>
  (body as { profiles: { key: string }[] }).profiles.map(({ key }) => key);

describe("a push of NPCs", () => {
  it("sends the data that the server lacks in the name of the site, and records the push in the ledger", async () => {
    const { id } = await made("forest-boss", { faction: "wolves" });
    await ask("PUT /factions", { pairs: [{ a: "bandits", b: "wolves", stance: "hostile" }] });
    expect(await told(work)).toEqual([
      {
        line: "PUT /v1/npc/profiles",
        body: {
          revision: 1,
          profiles: [expect.objectContaining({ key: "forest-boss", faction: "wolves" })],
          factions: [{ a: "bandits", b: "wolves", stance: "hostile" }],
          remove: [],
        },
        actor: system,
      },
    ]);
    expect((await read(id)).push).toEqual([
      { serverId, state: "pushed", revision: 1, at: anyTime, error: null },
    ]);
    expect(await said("GET /factions")).toMatchObject([
      200,
      { push: [{ serverId, state: "pushed", at: anyTime, error: null }] },
    ]);
    expect(await ledger()).toEqual([{ what: "npc", state: "confirmed", reason: null }]);
    expect(await told(work)).toEqual([]);
  });

  it("sends only changes, and all data again after a new hello of the game", async () => {
    const boss = await made("forest-boss");
    await made("swamp-boss");
    await work();
    await ask(`PUT /profiles/${boss.id}`, { revision: 1, health: 500 });
    const [changed, ...rest] = await told(work);
    expect([keysIn(changed?.body), rest]).toEqual([["forest-boss"], []]);
    expect(changed?.body).toMatchObject({ revision: 2 });
    game.simulator.emit("server.hello", game.simulator.game.helloFacts());
    await game.hear();
    expect((await read(boss.id)).push).toMatchObject([{ state: "pending", revision: 2 }]);
    const [again] = await told(work);
    expect(keysIn(again?.body)).toEqual(["forest-boss", "swamp-boss"]);
    expect((await read(boss.id)).push).toMatchObject([{ state: "pushed" }]);
  });

  it("does not overwrite the result of the next push if it is answered late", async () => {
    const boss = await made();
    const commands = () => game.simulator.received.commands.length;
    const before = commands();
    game.simulator.faults.trigger("hold", { path: "/v1/npc/profiles" });
    const late = work();
    await waitUntil("it is sent", () => commands() > before);
    await ask(`PUT /profiles/${boss.id}`, { revision: 1, health: 500 });
    await endPushWait(server);
    await work();
    const pushed = (await read(boss.id)).push;
    expect(pushed).toMatchObject([{ state: "pushed", revision: 2 }]);
    game.simulator.faults.trigger("release");
    await late;
    expect((await read(boss.id)).push).toEqual(pushed);
  });

  it("sends a changed faction table even if its change began before the last table was sent", async () => {
    await made();
    const pairs = (stance: string) => [{ a: "bandits", b: "wolves", stance }];
    await ask("PUT /factions", { pairs: pairs("hostile") });
    await work();
    await ask("PUT /factions", { pairs: pairs("ally") });
    await changeFactionTable(server, { updatedAt: clockNowPlus(-3_600_000) });
    const [sent] = await told(work);
    expect(sent?.body).toMatchObject({ profiles: [], factions: pairs("ally") });
    await ask("PUT /factions", { pairs: [] });
    const [emptied] = await told(work);
    expect(emptied?.body).toMatchObject({ profiles: [], factions: [] });
  });

  it("makes the game remove a deleted profile, and sends a new profile with the same key", async () => {
    const { id } = await made("forest-boss");
    await made("swamp-boss");
    await work();
    await ask(`DELETE /profiles/${id}`);
    const [forgotten] = await told(work);
    expect(forgotten?.body).toMatchObject({ profiles: [], remove: ["forest-boss"] });
    expect([...game.simulator.world.npcs.profiles.keys()]).toEqual(["swamp-boss"]);
    const next = await made("forest-boss", { health: 999 });
    expect(next.push).toMatchObject([{ state: "pending", revision: null }]);
    const [sent] = await told(work);
    expect(sent?.body).toMatchObject({ profiles: [{ health: 999 }], remove: [] });
  });

  it("reports for each profile whether the game refused it", async () => {
    const good = await made("forest-boss");
    const bad = await made("swamp-boss");
    const { SurvivalNpcProfile } = server.context.models;
    await SurvivalNpcProfile.update({ key: "Bad Key" }, { where: { id: bad.id } });
    await work();
    expect([(await read(good.id)).push, (await read(bad.id)).push]).toEqual([
      [{ serverId, state: "pushed", revision: 1, at: anyTime, error: null }],
      [{ serverId, state: "failed", revision: null, at: anyTime, error: "the key is malformed" }],
    ]);
  });

  it("is shown on the profile and in the ledger if it is refused or never answered", async () => {
    const { id } = await made();
    const calls = { method: "PUT", path: "/v1/npc/profiles" };
    game.simulator.faults.trigger("status", { ...calls, status: 400, code: "INVALID" });
    await work();
    expect((await read(id)).push).toMatchObject([{ state: "failed", error: expect.any(String) }]);
    await endPushPause(server);
    game.simulator.faults.trigger("cut", calls);
    await work();
    expect((await read(id)).push).toMatchObject([{ state: "failed", revision: null }]);
    expect(await ledger()).toMatchObject([
      { what: "npc", state: "failed", reason: "INVALID" },
      { what: "npc", state: "lost" },
    ]);
    await endPushPause(server);
    await work();
    expect((await read(id)).push).toMatchObject([{ state: "pushed", revision: 1 }]);
  });

  it("waits while the game is off, and is shown as offline", async () => {
    game.simulator.faults.trigger("away");
    const { id } = await made();
    await work();
    expect((await read(id)).push).toEqual([
      { serverId, state: "offline", revision: null, at: null, error: null },
    ]);
    game.simulator.faults.trigger("back");
    await game.hear();
    await work();
    expect((await read(id)).push).toMatchObject([{ state: "pushed" }]);
  });

  it("is shown as unsupported while the NPC plugin is too old, and is sent after the plugin's update", async () => {
    game.simulator.faults.trigger("npcApi", { version: 3 });
    await game.hear();
    const { id } = await made();
    expect(await told(work)).toEqual([]);
    expect((await read(id)).push).toEqual([
      { serverId, state: "unsupported", revision: null, at: null, error: null },
    ]);
    expect(await said("GET ")).toMatchObject([
      200,
      {
        servers: [{ id: serverId, npcApi: 3, supported: false, dirty: true, state: "unsupported" }],
      },
    ]);
    expect(await said("POST /push", {})).toEqual([
      200,
      { results: [{ serverId, state: "unsupported", error: null }] },
    ]);
    game.simulator.faults.trigger("npcApi", { version: 4 });
    await game.hear();
    await work();
    expect((await read(id)).push).toMatchObject([{ state: "pushed" }]);
  });
});

describe("an NPC profile of a game that a push from the site replaces", () => {
  const foreign = (given: object = {}) => {
    const document = { key: "forest-boss", displayName: "Old boss", health: 2_000, ...given };
    game.simulator.world.npcs.profiles.set("forest-boss", { document, origin: "server" });
  };

  it("is stored once, as a revision with a separate number", async () => {
    foreign({ plugin: { custom: 1 } });
    const { id } = await made("forest-boss", { health: 100 });
    await work();
    const kept = {
      revision: 2,
      state: "replaced",
      origin: "server",
      serverId,
      document: { displayName: "Old boss", health: 2_000, plugin: { custom: 1 } },
      updatedAt: null,
      updatedBy: null,
      replacedAt: anyTime,
    };
    expect(await revisionsOf(id)).toEqual([kept]);
    expect(await read(id)).toMatchObject({ revision: 1, push: [{ state: "pushed" }] });
    foreign({ plugin: { custom: 1 } });
    await ask("POST /push", { profileIds: [id] });
    expect(await revisionsOf(id)).toEqual([kept]);
    const changed = profileIn(await ask(`PUT /profiles/${id}`, { revision: 1, health: 101 }));
    expect(changed.revision).toBe(3);
    expect((await revisionsOf(id)).map(({ revision }) => revision)).toEqual([2, 1]);
  });

  it("is restored with the fields that the site knows", async () => {
    foreign({ plugin: { custom: 1 }, boss: true });
    const { id } = await made("forest-boss", { health: 100 });
    await work();
    const { body } = await ask(`POST /profiles/${id}/restore`, { revision: 2 });
    expect(profileIn({ body })).toMatchObject({
      revision: 3,
      key: "forest-boss",
      displayName: "Old boss",
      health: 2_000,
      boss: true,
      ranked: true,
    });
    expect(profileIn({ body })).not.toHaveProperty("plugin");
  });

  it("is stored and can be restored even if its fields are named like built-in object properties", async () => {
    foreign(JSON.parse('{"__proto__":{"health":9},"constructor":{"x":1},"health":700}') as object);
    const { id } = await made();
    await work();
    const { body } = await ask(`POST /profiles/${id}/restore`, { revision: 2 });
    expect(profileIn({ body })).toMatchObject({ revision: 3, health: 700 });
  });

  it("is not restored if a field breaks a rule, and the answer names the field", async () => {
    foreign({ health: -1, boss: "yes" });
    const { id } = await made();
    await work();
    expect(await said(`POST /profiles/${id}/restore`, { revision: 2 })).toEqual([
      400,
      {
        error: "Validation failed",
        errors: [
          { path: "health", message: "health must be greater than or equal to 1" },
          { path: "boss", message: "boss must be a boolean" },
        ],
      },
    ]);
    expect(await read(id)).toMatchObject({ revision: 1 });
  });
});

describe("a manual push of NPCs", () => {
  it("does not deadlock with the hello of a game", async () => {
    await made();
    const { sequelize, models } = server.context;
    const greeting = await inTransaction(sequelize, async (held) => {
      // Do the same as ingest: store the report of the game, then request a synchronization.
      await models.SurvivalNpcServer.upsert({ serverId }, { transaction: held });
      const pushed = said("POST /push", { serverIds: [serverId] });
      await waitUntilLockWaits(server);
      const hello = { names: ["npcs"], serverIds: [serverId], reason: "hello" } as const;
      await requestSync(hello, server.context, held);
      return { pushed };
    });
    expect(await greeting.pushed).toMatchObject([200, { results: [{ serverId, error: null }] }]);
  });

  it("goes to every enabled server at once, in the name of the administrator", async () => {
    await buildSurvivalServer(server, { enabled: false, sort: 1 });
    const closed = { baseUrl: "http://127.0.0.1:1", wsUrl: "ws://127.0.0.1:1" };
    const unreachable = await buildSurvivalServer(server, { enabled: true, sort: 2, ...closed });
    await made();
    const commands = await told(async () =>
      expect(await said("POST /push", {})).toEqual([
        200,
        {
          results: [
            { serverId, state: "pushed", error: null },
            { serverId: unreachable.id, state: "offline", error: null },
          ],
        },
      ]),
    );
    expect(commands).toMatchObject([
      { actor: { userId: admin.userId, username: admin.username, role: "admin" } },
    ]);
    const done = await activityOf(server, { action: "survival.npc.pushed" }, ["detail"]);
    const detail = { outcome: "done", serverIds: [serverId, unreachable.id] };
    expect(done.at(-1)).toMatchObject({ detail });
  });

  it("sends the named profiles even if the server has them", async () => {
    const boss = await made("forest-boss");
    await made("swamp-boss");
    await work();
    expect(await told(() => ask("POST /push", { serverIds: [serverId] }))).toEqual([]);
    const [sent] = await told(() => ask("POST /push", { profileIds: [boss.id] }));
    expect(keysIn(sent?.body)).toEqual(["forest-boss"]);
  });

  it.each<[string, object, string]>([
    ["no servers", { serverIds: [] }, "serverIds"],
    ["an unknown server", { serverIds: [2_000_000_000] }, "serverIds"],
    ["a server number that is too large", { serverIds: [Number.MAX_SAFE_INTEGER] }, "serverIds"],
    ["an unknown profile", { profileIds: [2_000_000_000] }, "profileIds"],
    ["a profile number as text", { profileIds: ["1"] }, "profileIds.0"],
  ])("is refused if it names %s, and nothing is sent", async (_what, body, path) => {
    await made();
    const commands = await told(async () =>
      expect(await said("POST /push", body)).toMatchObject([400, { errors: [{ path }] }]),
    );
    expect(commands).toEqual([]);
  });
});
