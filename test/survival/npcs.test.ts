import { Op } from "sequelize";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { activityOf } from "../support/factories/site.ts";
import { changeFactionTable } from "../support/factories/survival-npcs.ts";
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

beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
  moderator = await signIn(server, { role: "moderator" });
  game = await startSurvivalGame(server);
  serverId = game.server.id;
  await game.hear();
});
afterAll(async () => {
  await game.simulator.stop();
  await server.stop();
});

beforeEach(async () => {
  await deleteAll(server, "SurvivalNpcProfile", "SurvivalFactionPair");
  await changeFactionTable(server, { updatedAt: null, updatedBy: null });
});

const ask = (route: string, body?: object, { headers } = admin) => {
  const [method = "GET", path = ""] = route.split(" ");
  return callRoute(server, `${method} /admin/survival/npcs${path}`, { body, headers });
};
const said = async (...given: Parameters<typeof ask>) => statusAndBodyOf(await ask(...given));

const unknown = 2_000_000_000;

/** Returns a profile as administrators see it. Fields that are not given have their defaults. */
const profileOf = (given: object) => ({
  id: expect.any(Number),
  key: "forest-boss",
  displayName: "Forest boss",
  names: [],
  faction: null,
  health: 150,
  kit: null,
  kits: [],
  wearItems: [],
  beltItems: [],
  roamRange: 20,
  chaseRange: 50,
  senseRange: 30,
  listenRange: 15,
  memorySec: 5,
  attackRangeMultiplier: 1,
  aimConeScale: 2,
  damageScale: 1,
  turretDamageScale: 1,
  headScale: 1,
  bodyScale: 1,
  legScale: 1,
  meleeScale: 1,
  checkVisionCone: false,
  visionCone: 135,
  speed: 7.5,
  stationary: false,
  canSwim: true,
  canSleep: false,
  sleepDistance: 100,
  runFromWater: true,
  behaviour,
  radio: true,
  gender: "random",
  skinTone: "random",
  death,
  boss: false,
  healthSteps: [75, 50, 25, 10],
  ranked: true,
  revision: 1,
  state: "current",
  updatedAt: anyTime,
  updatedBy: admin.username,
  push: [{ serverId, state: "pending", revision: null, at: null, error: null }],
  ...given,
});

const behaviour = {
  hostileOnly: false,
  ignoreSleepers: true,
  ignoreWounded: true,
  ignoreSafeZone: true,
  peacekeeper: false,
  respectSafeZones: true,
  targetAnimals: false,
  instantHeadshotDeath: false,
};

const death = {
  dropWeaponPct: 100,
  wipeBeltPct: 100,
  wipeClothingPct: 100,
  rustLootPct: 100,
  lootSource: null,
  lockedCratePct: 0,
  corpseMin: 5,
};

interface Profile {
  readonly id: number;
  readonly revision: number;
}

const made = async (given: object = {}): Promise<Profile> => {
  const body = { key: "forest-boss", displayName: "Forest boss", ...given };
  const { body: answered } = await ask("POST ", body);
  return (answered as { profile: Profile }).profile;
};

const changed = async ({ id, revision }: Profile, change: object): Promise<Profile> => {
  const { body } = await ask(`PUT /profiles/${id}`, { revision, ...change });
  return (body as { profile: Profile }).profile;
};

const lastActivity = async () => {
  const ofNpcs = { action: { [Op.startsWith]: "survival.npc." } };
  return (await activityOf(server, ofNpcs, ["action", "targetType", "detail"])).at(-1);
};

describe("an NPC profile", () => {
  it("is created with the defaults of the NPC plugins", async () => {
    const body = {
      key: "forest-boss",
      displayName: "Forest boss",
      health: 2_000,
      boss: true,
      wearItems: [{ shortName: "hazmatsuit" }],
      beltItems: [{ shortName: "rifle.ak", mods: ["weapon.mod.lasersight"] }],
      healthSteps: [10, 60],
      behaviour: { peacekeeper: true },
      death: { corpseMin: 30, lootSource: "boss-loot" },
    };
    const profile = profileOf({
      health: 2_000,
      boss: true,
      wearItems: [{ shortName: "hazmatsuit", skinId: "0" }],
      beltItems: [
        {
          shortName: "rifle.ak",
          amount: 1,
          skinId: "0",
          mods: ["weapon.mod.lasersight"],
          ammo: null,
        },
      ],
      healthSteps: [60, 10],
      behaviour: { ...behaviour, peacekeeper: true },
      death: { ...death, corpseMin: 30, lootSource: "boss-loot" },
    });
    expect(await said("POST ", body)).toEqual([201, { profile }]);
    expect(await said("GET ")).toEqual([
      200,
      {
        profiles: [profile],
        factions: [],
        servers: [{ id: serverId, npcApi: 4, supported: true, dirty: true, state: "pending" }],
      },
    ]);
    expect(await lastActivity()).toEqual({
      action: "survival.npc.created",
      targetType: "survival_npc_profile",
      detail: { key: "forest-boss", revision: 1 },
    });
  });

  it("keeps its former state as a revision, and changes only in the given fields", async () => {
    const first = await made({ faction: "bandits", death: { corpseMin: 30 } });
    const second = await changed(first, { health: 500, death: { lockedCratePct: 20 } });
    expect(second).toEqual(
      profileOf({
        id: first.id,
        revision: 2,
        faction: "bandits",
        health: 500,
        death: { ...death, corpseMin: 30, lockedCratePct: 20 },
      }),
    );
    const [, { revisions }] = (await said(`GET /profiles/${first.id}`)) as [number, Revisions];
    expect(revisions).toEqual([
      {
        revision: 1,
        state: "replaced",
        origin: "site",
        serverId: null,
        document: expect.objectContaining({ health: 150, faction: "bandits" }),
        updatedAt: anyTime,
        updatedBy: admin.username,
        replacedAt: anyTime,
      },
    ]);
    expect(await changed(second, { health: 500 })).toMatchObject({ revision: 2 });
  });

  it("can be changed only from its current revision, by one of eight concurrent requests", async () => {
    const { id } = await made();
    const answers = await Promise.all(
      makeList(8, (index) => ask(`PUT /profiles/${id}`, { revision: 1, health: 200 + index })),
    );
    expect(countStatuses(answers)).toEqual({ 200: 1, 409: 7 });
    expect(await said(`PUT /profiles/${id}`, { revision: 1, health: 1 })).toEqual([
      409,
      {
        error: "The change is based on revision 1, and 2 is the newest",
        current: expect.objectContaining({ id, revision: 2 }),
      },
    ]);
  });

  it("is restored from a revision under a new number", async () => {
    const first = await made({ health: 300 });
    const second = await changed(first, { health: 400, displayName: "Swamp boss" });
    expect(second.revision).toBe(2);
    expect(await said(`POST /profiles/${first.id}/restore`, { revision: 1 })).toEqual([
      200,
      { profile: profileOf({ id: first.id, revision: 3, health: 300 }) },
    ]);
    expect(await lastActivity()).toMatchObject({
      action: "survival.npc.restored",
      detail: { key: "forest-boss", revision: 3, restored: 1 },
    });
    for (const revision of [3, 99, unknown]) {
      expect(await said(`POST /profiles/${first.id}/restore`, { revision })).toEqual([
        404,
        { error: "Unknown revision" },
      ]);
    }
  });

  it("has a unique key, even if eight requests want it at once", async () => {
    const body = { key: "swamp-boss", displayName: "Swamp boss" };
    const answers = await Promise.all(makeList(8, () => ask("POST ", body)));
    expect(countStatuses(answers)).toEqual({ 201: 1, 409: 7 });
    expect(await said("POST ", body)).toEqual([
      409,
      { error: "The key is taken", errors: [{ path: "key", message: "key is taken" }] },
    ]);
  });

  it("keeps its key, and a change may contain that key but no other", async () => {
    const { id } = await made();
    const body = { revision: 1, key: "forest-boss", health: 160 };
    expect(await said(`PUT /profiles/${id}`, body)).toMatchObject([200, {}]);
    expect(await said(`PUT /profiles/${id}`, { revision: 2, key: "swamp-boss" })).toEqual([
      400,
      {
        error: "Validation failed",
        errors: [{ path: "key", message: "key cannot be changed" }],
      },
    ]);
  });

  it.each<[string, object]>([
    ["no key", { key: undefined }],
    ["a key with a space", { key: "forest boss" }],
    ["a key of one letter", { key: "f" }],
    ["no name", { displayName: "" }],
    ["no health", { health: 0 }],
    ["too much health", { health: 100_001 }],
    ["health that is a text", { health: "100" }],
    ["too narrow a vision cone", { visionCone: 19 }],
    ["a negative speed", { speed: -1 }],
    ["an item without a name", { wearItems: [{ skinId: "1" }] }],
    ["a skin that is a number", { wearItems: [{ shortName: "hazmatsuit", skinId: 1 }] }],
    ["a health step above 100 percent", { healthSteps: [101] }],
    ["the same health step twice", { healthSteps: [50, 50] }],
    ["a list as its death settings", { death: [] }],
    ["a percentage of 100.5", { death: { rustLootPct: 100.5 } }],
    ["a faction in capital letters", { faction: "Bandits" }],
  ])("is refused if it has %s", async (_what, given) => {
    const body = { key: "swamp-boss", displayName: "Swamp boss", ...given };
    expect(await said("POST ", body)).toMatchObject([400, { error: "Validation failed" }]);
    expect(await said("GET ")).toMatchObject([200, { profiles: [] }]);
  });

  it("ignores unknown fields, including names of built-in object properties", async () => {
    const text =
      '{"key":"odd","displayName":"Odd","__proto__":{"health":9},"constructor":1,"id":7}';
    const { status, body } = await callRoute(server, "POST /admin/survival/npcs", {
      headers: admin.headers,
      body: text,
    });
    expect([status, body]).toEqual([
      201,
      { profile: profileOf({ key: "odd", displayName: "Odd" }) },
    ]);
  });

  it("answers 404 after it is deleted, and its key is free", async () => {
    const { id } = await made();
    expect(await said(`DELETE /profiles/${id}`)).toEqual([200, { id }]);
    const gone = [404, { error: "Unknown profile" }];
    expect(await said(`GET /profiles/${id}`)).toEqual(gone);
    expect(await said(`PUT /profiles/${id}`, { revision: 1 })).toEqual(gone);
    expect(await said(`POST /profiles/${id}/restore`, { revision: 1 })).toEqual(gone);
    expect(await said(`DELETE /profiles/${id}`)).toEqual(gone);
    const next = await made();
    expect(next).toMatchObject({ revision: 1 });
    expect(next.id).not.toBe(id);
  });

  it("is open to administrators only", async () => {
    const routes = ["GET ", "POST ", "GET /profiles/1", "PUT /profiles/1", "DELETE /profiles/1"];
    const others = ["POST /profiles/1/restore", "POST /push", "GET /factions", "PUT /factions"];
    for (const route of [...routes, ...others]) {
      const body = route.startsWith("GET") ? undefined : {};
      expect((await ask(route, body, moderator)).status).toBe(403);
    }
  });
});

interface Revisions {
  readonly revisions: readonly object[];
}

describe("the table of relations between factions", () => {
  const push = [{ serverId, state: "pending", at: null, error: null }];

  it("has one row for two factions, in either order", async () => {
    await made({ faction: "wolves" });
    const pairs = [
      { a: "scientists", b: "bandits", stance: "hostile" },
      { a: "bandits", b: "merchants", stance: "ally" },
    ];
    const table = {
      factions: ["bandits", "merchants", "scientists", "wolves"],
      pairs: [
        { a: "bandits", b: "merchants", stance: "ally" },
        { a: "bandits", b: "scientists", stance: "hostile" },
      ],
      revision: anyRevision,
      updatedAt: anyTime,
      updatedBy: admin.username,
      push: [expect.objectContaining({ ...push[0], serverId, at: expect.anything() })],
    };
    const [status, written] = await said("PUT /factions", { pairs });
    expect([status, written]).toEqual([200, { ...table, push: expect.any(Array) }]);
    expect(await said("GET /factions")).toEqual([200, written]);
    expect(await said("PUT /factions", { pairs: [] })).toMatchObject([
      200,
      { factions: ["wolves"], pairs: [] },
    ]);
  });

  it.each<[string, unknown]>([
    ["no pairs", undefined],
    ["a relation of a faction to itself", [{ a: "bandits", b: "bandits", stance: "ally" }]],
    [
      "the same two factions twice, in both orders",
      [
        { a: "bandits", b: "wolves", stance: "ally" },
        { a: "wolves", b: "bandits", stance: "hostile" },
      ],
    ],
    ["an unknown stance", [{ a: "bandits", b: "wolves", stance: "friend" }]],
    ["a faction in capital letters", [{ a: "Bandits", b: "wolves", stance: "ally" }]],
    [
      "more than 64 factions",
      makeList(33, (index) => ({ a: `a${index}`, b: `b${index}`, stance: "ally" })),
    ],
  ])("is refused as a whole if it contains %s", async (_what, pairs) => {
    await ask("PUT /factions", { pairs: [{ a: "a", b: "b", stance: "hostile" }] });
    expect(await said("PUT /factions", { pairs })).toMatchObject([
      400,
      { error: "Validation failed" },
    ]);
    expect(await said("GET /factions")).toMatchObject([
      200,
      { pairs: [{ a: "a", b: "b", stance: "hostile" }] },
    ]);
  });

  it("equals one of eight concurrent writes, and not a mixture", async () => {
    const answers = await Promise.all(
      makeList(8, (index) =>
        ask("PUT /factions", {
          pairs: makeList(5, (other) => ({ a: `a${index}`, b: `b${other}`, stance: "ally" })),
        }),
      ),
    );
    expect(countStatuses(answers)).toEqual({ 200: 8 });
    const [, { pairs }] = (await said("GET /factions")) as [number, { pairs: { a: string }[] }];
    expect(pairs).toHaveLength(5);
    expect(new Set(pairs.map(({ a }) => a)).size).toBe(1);
  });
});
