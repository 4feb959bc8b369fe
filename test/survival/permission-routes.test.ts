import { col, Op } from "sequelize";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { clockNow } from "../../models/queries/clock.ts";
import { expireGrants } from "../../shared/survival/permissions/grants/changes.ts";
import { runSyncJob } from "../../shared/survival/sync/delivery/run-sync.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { query } from "../support/database/query.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { changePushes } from "../support/factories/survival-pushes.ts";
import {
  buildSteamLink,
  buildSurvivalServer,
  changeSurvivalServers,
  deleteOtherServers,
} from "../support/factories/survival.ts";
import { anyRevision } from "../support/http/any-revision.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { overSidecar } from "../support/plugin/over-sidecar.ts";
import { countStatuses, makeList } from "../support/races/race.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startSurvivalGame, type SurvivalGameSite } from "../support/survival/survival-game.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";

let server: TestServer;
let game: SurvivalGameSite;
let serverId: number;
let admin: SignedIn;
let moderator: SignedIn;
let player: SignedIn;

const anna = "76561198000000001";
const bert = "76561198000000002";

beforeAll(async () => {
  server = await startTestServer({ environment: { SURVIVAL_DEBOUNCE: "0s" } });
  game = await startSurvivalGame(server, { name: "Oak" });
  serverId = game.server.id;
  admin = await signIn(server, { role: "admin" });
  moderator = await signIn(server, { role: "moderator" });
  player = await signIn(server, { role: "player" });
  await game.hear();
});
afterAll(async () => {
  await game.simulator.stop();
  await server.stop();
});
beforeEach(async () => {
  await deleteAll(server, "SurvivalGrant", "SurvivalPermissionRow", "SteamLink");
  await deleteAll(server, "SurvivalPush", "SurvivalLedgerEntry");
  const { SurvivalPermissionGroup } = server.context.models;
  await SurvivalPermissionGroup.destroy({ where: { protected: false } });
  await SurvivalPermissionGroup.update({ permissions: [] }, { where: {} });
  await changeSurvivalServers(server, { enabled: true, permissionSync: true });
  const { groups, users } = game.simulator.world.permissions;
  groups.delete("vip");
  groups.delete("member");
  users.delete(anna);
  users.delete(bert);
});

const base = "/admin/survival/permissions";
const as = ({ headers }: SignedIn, line: string, body?: object) =>
  callRoute(server, line, { headers, ...(body && { body }) });
const make = (path: "groups" | "grants", body: object, by = admin) =>
  as(by, `POST ${base}/${path}`, body);

interface Made {
  readonly group: { readonly id: number };
  readonly grant: { readonly id: number };
}
const made = async (path: "groups" | "grants", body: object): Promise<number> => {
  const answer = await make(path, body);
  const { group, grant } = answer.body as Partial<Made>;
  return (group ?? grant)?.id as number;
};

const vip = { name: "vip", title: "VIP", rank: 3, permissions: ["kits.vip"] };
const toVip = { kind: "membership", steamId: anna, value: "vip" };
const toNode = { kind: "permission", value: "kits.vip" };

const ownEntries = async (): Promise<object[]> => {
  const { body } = await as(player, "GET /player/survival/permissions");
  return (body as { entries: object[] }).entries;
};

const dirty = () => {
  const { SurvivalPush } = server.context.models;
  const isAsked = { [Op.gt]: col("pushed") };
  return storedRows(SurvivalPush, ["name", "state"], { serverId, asked: isAsked });
};

const link = (steamId: string, userId: number) => buildSteamLink(server, { steamId, userId });

/** Makes a grant expire now. */
const endGrant = (id: number) =>
  server.context.models.SurvivalGrant.update({ expiresAt: clockNow() }, { where: { id } });

/** Synchronizes until the game has confirmed everything. */
async function settle(): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    await game.hear();
    const waiting = (await dirty()).filter(({ state }) => state === "waiting");
    if (waiting.length === 0) return;
    for (const { name } of waiting) {
      await runSyncJob({ serverId, name }, server.context);
      await waitUntil("the game says what it did", async () => {
        await game.hear();
        return (await dirty()).every(({ state }) => state !== "pushing");
      });
    }
  }
  throw new Error("it never comes to rest");
}

/** Returns the permissions in the game that come from the site. */
const has = () => {
  const { groups, users } = game.simulator.world.permissions;
  const group = groups.get("vip");
  const user = users.get(anna);
  return {
    vip: group && {
      title: group.title,
      rank: group.rank,
      parent: group.parent,
      permissions: [...group.permissions],
    },
    anna: user && { permissions: [...user.permissions], groups: [...user.groups] },
  };
};

const everywhere = { all: true, serverIds: [] };

describe("a permission group", () => {
  const whole = (given: object) => ({
    id: expect.any(Number),
    ...vip,
    parent: null,
    scope: everywhere,
    managed: true,
    protected: false,
    memberCount: 0,
    revision: anyRevision,
    updatedAt: anyTime,
    updatedBy: admin.username,
    ...given,
  });

  it("is created, read by staff, and pushed with its members", async () => {
    expect(statusAndBodyOf(await make("groups", vip))).toEqual([201, { group: whole({}) }]);
    const granted = await make("grants", toVip);
    expect(statusAndBodyOf(granted)).toEqual([
      201,
      {
        grant: {
          id: expect.any(Number),
          ...toVip,
          userId: null,
          scope: everywhere,
          source: "manual",
          reason: null,
          expiresAt: null,
          state: "active",
          revision: anyRevision,
          createdAt: anyTime,
          createdBy: admin.username,
          revokedAt: null,
          revokedBy: null,
        },
      },
    ]);
    await settle();
    expect(has()).toEqual({
      vip: { title: "VIP", rank: 3, parent: null, permissions: ["kits.vip"] },
      anna: { permissions: [], groups: ["vip"] },
    });
    const overview = await as(moderator, `GET ${base}`);
    expect(overview.body).toMatchObject({
      groups: [
        whole({ memberCount: 1 }),
        { name: "admin", managed: false, protected: true },
        { name: "default" },
        { name: "moderator" },
      ],
      servers: [
        {
          serverId,
          state: "clean",
          error: null,
          pendingOps: 0,
          unknownPermissions: [],
        },
      ],
      counts: { groups: 4, grants: 1, players: 1 },
    });
    const entries = await storedRows(server.context.models.SurvivalLedgerEntry, ["what", "state"], {
      serverId,
    });
    expect(entries.toSorted((one, next) => one.what.localeCompare(next.what))).toEqual([
      { what: "grant", state: "confirmed" },
      { what: "group", state: "confirmed" },
    ]);
  });

  it("is pushed again when it is changed", async () => {
    const id = await made("groups", vip);
    await settle();
    const changes = { title: "Very important", permissions: ["kits.builder", "kits.vip"] };
    const changed = await as(admin, `PUT ${base}/groups/${id}`, changes);
    expect(statusAndBodyOf(changed)).toEqual([200, { group: whole(changes) }]);
    await settle();
    const { permissions = [], ...others } = has().vip ?? {};
    expect({ ...others, permissions: permissions.toSorted() }).toEqual({
      rank: 3,
      parent: null,
      ...changes,
    });
  });

  it("keeps its child groups and members when it is renamed", async () => {
    const id = await made("groups", { name: "member" });
    const below = await made("groups", { ...vip, parent: "member" });
    await make("grants", { ...toVip, value: "member" });
    await settle();
    expect((await as(admin, `PUT ${base}/groups/${id}`, { name: "regular" })).status).toBe(200);
    await settle();
    const { groups, users } = game.simulator.world.permissions;
    expect([groups.has("member"), groups.get("vip")?.parent]).toEqual([false, "regular"]);
    expect([...(users.get(anna)?.groups ?? [])]).toEqual(["regular"]);
    await as(admin, `DELETE ${base}/groups/${id}`);
    await settle();
    expect([groups.has("regular"), groups.get("vip")?.parent, below > 0]).toEqual([
      false,
      null,
      true,
    ]);
  });

  it("is deleted with its memberships, and its child groups stay", async () => {
    const id = await made("groups", { name: "member" });
    await make("groups", { ...vip, parent: "member" });
    await make("grants", { ...toVip, value: "member" });
    await settle();
    expect(statusAndBodyOf(await as(admin, `DELETE ${base}/groups/${id}`))).toEqual([
      200,
      { id, detached: 1 },
    ]);
    await settle();
    expect(game.simulator.world.permissions.groups.has("member")).toBe(false);
    expect(has().vip).toEqual({ title: "VIP", rank: 3, parent: null, permissions: ["kits.vip"] });
    expect(statusAndBodyOf(await as(admin, `GET ${base}/grants?state=active`))).toEqual([
      200,
      { grants: [], total: 0 },
    ]);
    expect((await as(admin, `DELETE ${base}/groups/${id}`)).status).toBe(404);
  });

  it.each<[string, object, number, RegExp]>([
    ["a wildcard for every permission", { permissions: ["*"] }, 400, /\*/],
    [
      "a permission that is denied to everyone",
      { permissions: ["oxide.grant"] },
      400,
      /SURVIVAL_PERMISSION_DENY/,
    ],
    [
      "a wildcard that includes such a permission",
      { permissions: ["kits.vip", "oxide.*"] },
      400,
      /SURVIVAL_PERMISSION_DENY/,
    ],
    ["capital letters", { permissions: ["Kits.VIP"] }, 400, /lower case/],
    ["a name in capital letters", { name: "VIP" }, 400, /name/],
    ["the wildcard as its name", { name: "*" }, 400, /name/],
    ["an unknown parent", { parent: "nobody" }, 400, /no group/],
    ["itself as its parent", { parent: "vip" }, 400, /own parent or ancestor/],
    ["an unknown server", { scope: { all: false, serverIds: [2_000_000_000] } }, 400, /no server/],
    ["no server at all", { scope: { all: false, serverIds: [] } }, 400, /serverIds/],
    ["the name of a group of the game", { name: "admin" }, 409, /already/],
  ])("is refused if it has %s", async (_what, given, status, said) => {
    const refused = await make("groups", { ...vip, ...given });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      status,
      expect.stringMatching(said),
    ]);
    expect(await dirty()).toEqual([]);
  });

  it("keeps its name if it is the game's own, and the site can add permissions to it", async () => {
    const { SurvivalPermissionGroup } = server.context.models;
    const own = await SurvivalPermissionGroup.findOne({ where: { name: "admin" } });
    const path = `${base}/groups/${own?.id}`;
    expect((await as(admin, `PUT ${path}`, { name: "boss" })).status).toBe(409);
    expect((await as(admin, `PUT ${path}`, { rank: 9 })).status).toBe(400);
    expect((await as(admin, `DELETE ${path}`)).status).toBe(409);
    const before = { ...game.simulator.world.permissions.groups.get("admin") };
    expect((await as(admin, `PUT ${path}`, { permissions: ["kits.vip"] })).status).toBe(200);
    await settle();
    const { title, rank, permissions } = game.simulator.world.permissions.groups.get("admin") ?? {};
    expect({ title, rank }).toEqual({ title: before.title, rank: before.rank });
    expect([...(permissions ?? [])]).toContain("kits.vip");
  });

  it("cannot form a cycle, even if two groups are changed at once", async () => {
    const one = await made("groups", { name: "member" });
    const two = await made("groups", vip);
    const answers = await Promise.all([
      as(admin, `PUT ${base}/groups/${one}`, { parent: "vip" }),
      as(admin, `PUT ${base}/groups/${two}`, { parent: "member" }),
    ]);
    expect(countStatuses(answers)).toEqual({ 200: 1, 400: 1 });
    expect(
      countStatuses(await Promise.all(makeList(5, () => make("groups", { name: "same" })))),
    ).toEqual({
      201: 1,
      409: 4,
    });
  });

  it("can be changed by administrators and read by moderators", async () => {
    expect((await make("groups", vip, moderator)).status).toBe(403);
    expect((await make("grants", toVip, moderator)).status).toBe(403);
    expect((await as(moderator, `POST ${base}/sync`, {})).status).toBe(403);
    expect((await as(player, `GET ${base}`)).status).toBe(403);
    for (const path of ["catalog", "grants", `users/${anna}`, `inventory/${serverId}`]) {
      expect((await as(moderator, `GET ${base}/${path}`)).status).toBe(200);
    }
  });
});

describe("a permission grant", () => {
  it("gives the registered permissions that match its wildcard, including those of later plugins", async () => {
    const plugin = [...game.simulator.world.plugins.values()].find(
      ({ name, permissions }) => name === "Kits" && permissions.length > 1,
    );
    const nodes = [...(plugin?.permissions ?? [])].toSorted();
    game.simulator.turn({ turn: "unloadPlugin", name: "Kits" });
    await settle();
    await make("grants", { kind: "permission", steamId: anna, value: "kits.*" });
    await settle();
    expect(has().anna).toBeUndefined();
    expect((await as(admin, `GET ${base}`)).body).toMatchObject({
      servers: [{ unknownPermissions: ["kits.*"] }],
    });
    game.simulator.turn({ turn: "loadPlugin", name: "Kits" });
    await settle();
    expect([has().anna?.permissions.toSorted(), nodes.length > 1]).toEqual([nodes, true]);
    const { body } = await as(moderator, `GET ${base}/catalog?server=${serverId}`);
    expect((body as { permissions: object[] }).permissions).toContainEqual({
      name: nodes[0],
      plugin: "Kits",
      servers: [serverId],
    });
  });

  it("is answered 409 if the player already has it, even if six requests ask at once", async () => {
    const grant = { kind: "permission", steamId: anna, value: "kits.vip" };
    expect(countStatuses(await Promise.all(makeList(6, () => make("grants", grant))))).toEqual({
      201: 1,
      409: 5,
    });
    const { body } = await as(admin, `GET ${base}/grants?steamId=${anna}`);
    const [{ id }] = (body as { grants: [{ id: number }] }).grants;
    expect(statusAndBodyOf(await as(admin, `DELETE ${base}/grants/${id}`))).toEqual([200, { id }]);
    expect((await as(admin, `DELETE ${base}/grants/${id}`)).status).toBe(409);
    expect((await as(admin, `PUT ${base}/grants/${id}`, { reason: "again" })).status).toBe(409);
    expect((await make("grants", grant)).status).toBe(201);
    const states = await as(admin, `GET ${base}/grants?value=kits.vip&limit=1&offset=1`);
    expect(states.body).toMatchObject({ grants: [{ id, state: "revoked" }], total: 2 });
  });

  it("is revoked on servers that a change removes from its scope", async () => {
    const id = await made("grants", { kind: "permission", steamId: anna, value: "kits.vip" });
    await settle();
    expect(has().anna?.permissions).toEqual(["kits.vip"]);
    const other = await startSurvivalGame(server);
    const scope = { all: false, serverIds: [other.server.id] };
    expect((await as(admin, `PUT ${base}/grants/${id}`, { scope })).body).toMatchObject({
      grant: { scope },
    });
    await settle();
    expect(has().anna?.permissions).toEqual([]);
    await as(admin, `DELETE /admin/survival/servers/${other.server.id}?purge=true`);
    expect((await as(admin, `GET ${base}/grants`)).body).toMatchObject({
      grants: [{ scope: { all: false, serverIds: [] } }],
    });
    await other.simulator.stop();
  });

  it("stays live if it expires while its server is off, until the server has the change", async () => {
    await link(anna, player.userId);
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const grant = { kind: "permission", userId: player.userId, value: "kits.vip", expiresAt: soon };
    const id = await made("grants", grant);
    const own = () => as(player, "GET /player/survival/permissions");
    const entry = (given: object) => ({
      steamIds: [anna],
      entries: [
        {
          id,
          kind: "permission",
          steamId: anna,
          value: "kits.vip",
          title: null,
          via: "manual",
          state: "active",
          servers: [{ id: serverId, name: "Oak", live: false }],
          live: false,
          expiresAt: anyTime,
          ...given,
        },
      ],
    });
    const live = { servers: [{ id: serverId, name: "Oak", live: true }], live: true };
    expect(statusAndBodyOf(await own())).toEqual([200, entry({})]);
    await settle();
    expect(statusAndBodyOf(await own())).toEqual([200, entry(live)]);
    await endGrant(id);
    await changeSurvivalServers(server, { enabled: false });
    await expireGrants(server.context);
    await runSyncJob({ serverId, name: "permissions" }, server.context);
    expect(statusAndBodyOf(await own())).toEqual([200, entry({ ...live, state: "expiring" })]);
    expect((await as(admin, `GET ${base}/grants?state=expiring`)).body).toMatchObject({ total: 1 });
    await changeSurvivalServers(server, { enabled: true });
    await changePushes(server, { state: "waiting", retryAt: null });
    await settle();
    expect(has().anna?.permissions).toEqual([]);
    expect(statusAndBodyOf(await own())).toEqual([200, { steamIds: [anna], entries: [] }]);
    expect((await as(admin, `GET ${base}/grants?state=expired`)).body).toMatchObject({ total: 1 });
  });

  it("stays live if it is revoked while its server is off, until the server has the change", async () => {
    await link(anna, player.userId);
    const id = await made("grants", { ...toNode, userId: player.userId });
    await settle();
    await changeSurvivalServers(server, { enabled: false });
    expect((await as(admin, `DELETE ${base}/grants/${id}`)).status).toBe(200);
    const left = { id, state: "revoked", live: true, servers: [{ id: serverId, live: true }] };
    expect(await ownEntries()).toMatchObject([left]);
    await changeSurvivalServers(server, { enabled: true });
    await changePushes(server, { state: "waiting", retryAt: null });
    await settle();
    expect(has().anna?.permissions).toEqual([]);
    expect(await ownEntries()).toEqual([]);
  });

  it("is expired immediately after its end if another grant covers its permission", async () => {
    await link(anna, player.userId);
    const wide = await made("grants", { ...toNode, steamId: anna, value: "kits.*" });
    await made("grants", { ...toNode, steamId: anna });
    await settle();
    await endGrant(wide);
    await expireGrants(server.context);
    await settle();
    expect(has().anna?.permissions).toEqual(["kits.vip"]);
    const expired = await as(admin, `GET ${base}/grants?state=expired`);
    expect(expired.body).toMatchObject({ grants: [{ id: wide }], total: 1 });
    expect(await ownEntries()).toMatchObject([{ value: "kits.vip", state: "active", live: true }]);
  });

  it("stays live after its end until its server is updated, although a newer grant covers another server", async () => {
    await link(anna, player.userId);
    const other = await buildSurvivalServer(server);
    const here = { scope: { all: false, serverIds: [serverId] } };
    const there = { scope: { all: false, serverIds: [other.id] } };
    const ended = await made("grants", { ...toNode, steamId: anna, ...here });
    await settle();
    await changeSurvivalServers(server, { enabled: false });
    await endGrant(ended);
    await expireGrants(server.context);
    const again = await made("grants", { ...toNode, steamId: anna, ...there });
    const expiring = await as(admin, `GET ${base}/grants?state=expiring`);
    expect(expiring.body).toMatchObject({ grants: [{ id: ended }], total: 1 });
    expect(await ownEntries()).toMatchObject([
      { id: ended, state: "expiring", live: true },
      { id: again, state: "active", live: false },
    ]);
    await deleteOtherServers(server, serverId);
  });

  it("appears once to the player while its server is off, even if it is renewed every month", async () => {
    await link(anna, player.userId);
    for (let month = 1; month <= 2; month += 1) {
      const id = await made("grants", { ...toNode, steamId: anna });
      await settle();
      await endGrant(id);
      await expireGrants(server.context);
      await settle();
    }
    const last = await made("grants", { ...toNode, steamId: anna });
    await settle();
    await changeSurvivalServers(server, { enabled: false });
    await endGrant(last);
    await expireGrants(server.context);
    expect(await ownEntries()).toMatchObject([{ id: last, state: "expiring", live: true }]);
  });

  it("ends when its user unlinks the account, and the grant of another player stays", async () => {
    await link(anna, player.userId);
    await make("grants", { kind: "permission", userId: player.userId, value: "kits.vip" });
    await make("grants", { kind: "permission", steamId: bert, value: "kits.vip" });
    await settle();
    expect(has().anna?.permissions).toEqual(["kits.vip"]);
    expect((await as(player, `DELETE /player/survival/link/${anna}`)).status).toBe(200);
    await settle();
    expect(has().anna?.permissions).toEqual([]);
    expect((await as(admin, `GET ${base}/grants?state=active`)).body).toMatchObject({
      grants: [{ steamId: bert }],
      total: 1,
    });
  });

  it("must name one of a user's several accounts, and ends when the user unlinks any of them", async () => {
    const { userId } = player;
    const grant = { kind: "permission", userId, value: "kits.vip" };
    await link(anna, userId);
    await link(bert, userId);
    expect(statusAndBodyOf(await make("grants", grant))).toEqual([
      400,
      {
        error: "Validation failed",
        errors: [
          {
            path: "steamId",
            message: "the user has linked several Steam accounts: name one of them",
          },
        ],
      },
    ]);
    const stranger = { ...grant, steamId: "76561198000000003" };
    expect(statusAndBodyOf(await make("grants", stranger))).toEqual([
      404,
      { error: "The user has not linked this Steam account, or any Steam account" },
    ]);
    expect((await make("grants", { ...grant, steamId: anna })).body).toMatchObject({
      grant: { steamId: anna, userId, scope: { all: true, serverIds: [] } },
    });
    await make("groups", vip);
    await make("grants", { ...toVip, userId });
    await make("grants", { kind: "permission", steamId: anna, value: "kits.red" });
    expect((await as(player, `DELETE /player/survival/link/${bert}`)).status).toBe(200);
    // The grant to the Steam account stays. The grants to the user no longer apply to that account.
    expect((await as(admin, `GET ${base}/grants?state=active`)).body).toMatchObject({
      grants: [{ steamId: anna, userId: null, value: "kits.red" }],
      total: 1,
    });
  });

  it.each<[string, object, number]>([
    ["no player", { steamId: undefined }, 400],
    ["a user without a link", { steamId: undefined, userId: 2_000_000_000 }, 404],
    ["a permission that is denied to everyone", { value: "carbon.reload" }, 400],
    ["a wildcard for every permission", { value: "*" }, 400],
    ["an unknown group", { kind: "membership", value: "nobody" }, 400],
    ["the default group", { kind: "membership", value: "default" }, 400],
    ["an end in the past", { expiresAt: "2020-01-01T00:00:00Z" }, 400],
    ["an end after the year 9999", { expiresAt: "9999-12-31T23:59:59-10:00" }, 400],
    ["an end at 24:00", { expiresAt: "2099-02-01T24:00:00Z" }, 400],
    ["an end on an invalid date", { expiresAt: "2099-02-30T00:00:00Z" }, 400],
    ["an unknown kind", { kind: "everything" }, 400],
    ["no Steam id", { steamId: "1234" }, 400],
  ])("is refused if it has %s", async (_what, given, status) => {
    const grant = { kind: "permission", steamId: anna, value: "kits.vip" };
    expect((await make("grants", { ...grant, ...given })).status).toBe(status);
    expect(await dirty()).toEqual([]);
  });
});

describe("a push of permissions", () => {
  it("can be previewed, and reports its results", async () => {
    await make("groups", { ...vip, permissions: ["kits.vip", "nothing.there"] });
    await make("grants", toVip);
    await runSyncJob({ serverId, name: "permission-inventory" }, server.context);
    const dry = await as(admin, `POST ${base}/sync`, { serverIds: [serverId], dryRun: true });
    expect(statusAndBodyOf(dry)).toEqual([
      200,
      {
        results: [
          {
            serverId,
            state: "dirty",
            ops: 3,
            diff: [
              { op: "group", subjectKind: "group", subject: "vip", kind: "group", value: "" },
              {
                op: "grant",
                subjectKind: "group",
                subject: "vip",
                kind: "permission",
                value: "kits.vip",
              },
              { op: "join", subjectKind: "user", subject: anna, kind: "membership", value: "vip" },
            ],
          },
        ],
      },
    ]);
    expect(has()).toEqual({ vip: undefined, anna: undefined });
    const synced = await as(admin, `POST ${base}/sync`, {});
    expect(statusAndBodyOf(synced)).toEqual([
      200,
      { results: [{ serverId, state: "pushing", ops: 3 }] },
    ]);
    const last = game.simulator.received.commands.at(-1);
    expect([last?.path, last?.actor]).toEqual([
      "/v1/perm/push",
      { userId: admin.userId, username: admin.username, role: "admin" },
    ]);
    await settle();
    const overview = await as(admin, `GET ${base}`);
    expect(overview.body).toMatchObject({ servers: [{ unknownPermissions: ["nothing.there"] }] });
    const why = await as(moderator, `GET ${base}/users/${anna}`);
    expect(why.body).toMatchObject({
      direct: [],
      groups: [{ value: "vip" }],
      effective: [
        { node: "kits.vip", via: ["group:vip"], servers: [{ id: serverId, live: true }] },
      ],
    });
  });

  it("restores a lost permission, and does not change permissions that the site did not grant", async () => {
    await make("grants", { kind: "permission", steamId: anna, value: "kits.vip" });
    await settle();
    const holder = game.simulator.world.permissions.users.get(anna);
    holder?.permissions.delete("kits.vip");
    holder?.permissions.add("vanish.allow");
    game.simulator.emit("perm.changed", {});
    await settle();
    expect([...(holder?.permissions ?? [])].toSorted()).toEqual(["kits.vip", "vanish.allow"]);
    const { body } = await as(moderator, `GET ${base}/inventory/${serverId}`);
    expect((body as { drift: { extra: object[] } }).drift.extra).toContainEqual({
      subjectKind: "user",
      subject: anna,
      kind: "permission",
      value: "vanish.allow",
    });
  });

  it("reports differences at the next hello, and restores the permissions that the site granted", async () => {
    const { world, faults } = game.simulator;
    const [{ steamId: drifter } = { steamId: anna }] = world.players.values();
    world.permissions.users.delete(drifter);
    await make("groups", vip);
    await make("grants", { ...toVip, steamId: drifter });
    await make("grants", { kind: "permission", steamId: drifter, value: "kits.vip" });
    await settle();
    const driftOf = async () => {
      const { body } = await as(moderator, `GET ${base}/inventory/${serverId}`);
      return (body as { drift: { extra: object[]; missing: object[] } }).drift;
    };
    const said = async () => {
      game.simulator.emit("server.hello", game.simulator.game.helloFacts());
      await game.hear();
      await runSyncJob({ serverId, name: "permission-inventory" }, server.context);
      await waitUntil("the game says what it has", async () => {
        await game.hear();
        return (await dirty()).every(({ name }) => name !== "permission-inventory");
      });
    };
    await said();
    expect((await driftOf()).missing).toEqual([]);
    await settle();

    faults.trigger("driftInventory", { count: 1 });
    expect((await driftOf()).missing).toEqual([]);
    await said();
    const ofUser = { subjectKind: "user", subject: drifter };
    const ofGroup = { subjectKind: "group", subject: "vip" };
    const gone = [
      { ...ofGroup, kind: "permission", value: "kits.vip" },
      { ...ofUser, kind: "membership", value: "vip" },
      { ...ofUser, kind: "permission", value: "kits.vip" },
    ];
    const foreign = [
      { ...ofGroup, kind: "permission", value: "vanish.allow" },
      { subjectKind: "group", subject: "byhand", kind: "group", value: "" },
      { ...ofUser, kind: "permission", value: "vanish.allow" },
    ];
    const { extra, missing } = await driftOf();
    expect(missing).toHaveLength(gone.length);
    expect(missing).toEqual(expect.arrayContaining(gone));
    expect(extra).toEqual(expect.arrayContaining(foreign));
    const overview = await as(admin, `GET ${base}`);
    expect(overview.body).toMatchObject({
      servers: [{ state: "dirty", dirtyReason: "inventory", pendingOps: 3 }],
    });

    await settle();
    await said();
    expect((await driftOf()).missing).toEqual([]);
    expect((await driftOf()).extra).toEqual(expect.arrayContaining(foreign));
    const { users, groups } = world.permissions;
    expect([...(users.get(drifter)?.permissions ?? [])]).toEqual(["vanish.allow", "kits.vip"]);
    expect([...(users.get(drifter)?.groups ?? [])]).toEqual(["vip"]);
    expect([...(groups.get("vip")?.permissions ?? [])]).toEqual(["vanish.allow", "kits.vip"]);
    groups.delete("byhand");
    await settle();
  });

  it("is shown as failed if a server refuses a part of it, and is retried when the player joins", async () => {
    await make("grants", { kind: "permission", steamId: anna, value: "kits.vip" });
    await game.hear();
    await runSyncJob({ serverId, name: "permissions" }, server.context);
    const [row] = await storedRows(server.context.models.SurvivalPermissionRow, ["pushId"]);
    const failed = [
      {
        op: "grant",
        subjectKind: "user",
        subject: anna,
        kind: "permission",
        value: "kits.vip",
        reason: "unknown-user",
      },
    ];
    await storeSurvivalFrames(server.context, serverId, [
      survivalFrame("perm.sync", {
        pushId: row?.pushId,
        ok: false,
        applied: 0,
        failed,
        at: Date.now(),
      }),
    ]);
    expect((await as(admin, `GET ${base}`)).body).toMatchObject({
      servers: [
        {
          state: "failed",
          error: `1 of the changes failed, for example grant ${anna} kits.vip: unknown-user`,
        },
      ],
    });
    await storeSurvivalFrames(server.context, serverId, [
      survivalFrame("player.joined", { steamId: anna, name: "Anna", connectedAt: Date.now() }),
    ]);
    const { SurvivalPush } = server.context.models;
    expect(await storedRows(SurvivalPush, ["reason", "state"], { name: "permissions" })).toEqual([
      { reason: "join", state: "waiting" },
    ]);
  });

  /**
   * Makes a synchronization fail and then lets the player join.
   * @returns the reason of the synchronization that follows
   */
  async function reasonAfter(fault: "status" | "cut", how: object): Promise<unknown> {
    await make("grants", { kind: "permission", steamId: anna, value: "kits.vip" });
    game.simulator.faults.trigger(fault, { ...how, path: "/v1/perm/push" });
    await runSyncJob({ serverId, name: "permissions" }, server.context);
    await storeSurvivalFrames(server.context, serverId, [
      survivalFrame("player.joined", { steamId: anna, name: "Anna", connectedAt: Date.now() }),
    ]);
    return query(server, "select reason from survival_pushes where name = 'permissions'");
  }

  it("is retried when the player joins if a server refuses it completely", async () => {
    const refused = { status: 422, code: "REFUSED" };
    expect(await reasonAfter("status", refused)).toEqual([{ reason: "join" }]);
  });

  it(
    "is not retried when the player joins if a server may have executed it",
    overSidecar,
    async () => {
      expect(await reasonAfter("cut", {})).toEqual([{ reason: "grant" }]);
    },
  );

  it("reports that the server refuses it, that the game is away, or that the server is disabled", async () => {
    const synced = async () => statusAndBodyOf(await as(admin, `POST ${base}/sync`, {}));
    const stands = (state: string) => [200, { results: [{ serverId, state, ops: 1 }] }];
    await make("grants", { kind: "permission", steamId: anna, value: "kits.vip" });
    const { faults } = game.simulator;
    faults.trigger("status", { path: "/v1/perm/push", status: 422, code: "REFUSED" });
    expect(await synced()).toEqual(stands("failed"));
    faults.trigger("away", {});
    expect(await synced()).toEqual(stands("offline"));
    faults.trigger("back", {});
    await changeSurvivalServers(server, { enabled: false });
    const named = await as(admin, `POST ${base}/sync`, { serverIds: [serverId] });
    expect(statusAndBodyOf(named)).toEqual(stands("offline"));
  });

  it("is sent only to known servers whose permissions the site manages", async () => {
    const sync = (serverIds: readonly number[]) => as(admin, `POST ${base}/sync`, { serverIds });
    expect((await sync([])).status).toBe(400);
    expect((await sync([2_000_000_000])).status).toBe(400);
    await changeSurvivalServers(server, { permissionSync: false });
    expect((await sync([serverId])).status).toBe(400);
    expect(statusAndBodyOf(await as(admin, `POST ${base}/sync`, {}))).toEqual([
      200,
      { results: [] },
    ]);
    await make("grants", { kind: "permission", steamId: anna, value: "kits.vip" });
    await settle();
    expect(has().anna).toBeUndefined();
    await as(admin, `PUT /admin/survival/servers/${serverId}`, { permissionSync: true });
    await settle();
    expect(has().anna?.permissions).toEqual(["kits.vip"]);
  });
});

describe("the notices of a permission grant", () => {
  /** Returns the announcements of grants, and the messages about them, since the last call. */
  async function told() {
    const notices = await query(
      server,
      "delete from survival_notices where trigger = 'survival.permission.changed' returning event_key",
    );
    const { Push } = server.context.models;
    const pushes = await Push.findAll({ where: { stream: "survival.account" } });
    await Push.destroy({ where: { id: pushes.map(({ id }) => id) } });
    return {
      keys: notices.map((row) => row["event_key"]),
      pushes: pushes.map(({ ref, userId }) => ({ ref, user_id: userId })),
    };
  }

  const toAnna = { kind: "permission", steamId: anna, value: "kits.vip" };

  it("are sent to the linked user once each when the grant is given, becomes live and is revoked", async () => {
    const { userId } = player;
    await link(anna, userId);
    await told();
    const id = await made("grants", toAnna);
    const message = { ref: `permission:${id}`, user_id: userId };
    expect(await told()).toEqual({ keys: [`permission:${id}:granted`], pushes: [message] });
    await settle();
    expect(await told()).toEqual({ keys: [`permission:${id}:live`], pushes: [message] });
    await as(admin, `DELETE ${base}/grants/${id}`);
    expect(await told()).toEqual({ keys: [`permission:${id}:revoked`], pushes: [message] });
    await settle();
    expect(await told()).toEqual({ keys: [], pushes: [] });
  });

  it("report a wildcard as live once, when the first of its permissions becomes live", async () => {
    const { userId } = player;
    await link(anna, userId);
    const elsewhere = await buildSurvivalServer(server);
    const scope = { all: false, serverIds: [elsewhere.id] };
    game.simulator.emit("perm.changed", {});
    await settle();
    await made("grants", { ...toAnna, value: "kits.*", scope });
    const exact = await made("grants", toAnna);
    await told();
    await settle();
    // The wildcard applies to another server only, so this grant is announced as new.
    expect((await told()).keys).toEqual([`permission:${exact}:live`]);
    await as(admin, `DELETE ${base}/grants/${exact}`);
    await settle();
    const id = await made("grants", { ...toAnna, steamId: bert, value: "kits.*" });
    await link(bert, userId);
    await told();
    await settle();
    const nodes = [...(game.simulator.world.permissions.users.get(bert)?.permissions ?? [])];
    expect(nodes.length).toBeGreaterThan(1);
    const message = { ref: `permission:${id}`, user_id: userId };
    expect(await told()).toEqual({ keys: [`permission:${id}:live`], pushes: [message] });
    await elsewhere.destroy();
  });

  it("are recorded when the grant expires, and are pushed to no user while no user has linked the account", async () => {
    await told();
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const id = await made("grants", { ...toAnna, expiresAt });
    expect(await told()).toEqual({ keys: [`permission:${id}:granted`], pushes: [] });
    await endGrant(id);
    await expireGrants(server.context);
    await expireGrants(server.context);
    expect(await told()).toEqual({ keys: [`permission:${id}:expired`], pushes: [] });
  });

  it("are sent when the grant's group is deleted, but not for a grant that had ended before", async () => {
    const { userId } = player;
    await link(anna, userId);
    const groupId = await made("groups", vip);
    const id = await made("grants", toVip);
    const over = await made("grants", { ...toVip, steamId: bert });
    await endGrant(over);
    await told();
    await as(admin, `DELETE ${base}/groups/${groupId}`);
    const { keys, pushes } = await told();
    expect(new Set(keys)).toEqual(
      new Set([`permission:${id}:revoked`, `permission:${over}:expired`]),
    );
    expect(pushes).toEqual([{ ref: `permission:${id}`, user_id: userId }]);
  });
});
