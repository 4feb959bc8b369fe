import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";

import { deleteAll } from "../support/delete-all.ts";
import { buildPlacements, deleteNpcs } from "../support/factories/survival-npcs.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { query } from "../support/query.ts";
import { counts, inRounds, type Race, RaceTrack, times } from "../support/race.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { type SignedIn, signIn } from "../support/sign-in.ts";
import { unlimited } from "../support/unlimited.ts";

let server: TestServer;
let track: RaceTrack;
let admins: SignedIn[];
let serverId: number;

beforeAll(async () => {
  server = await startTestServer({ environment: unlimited });
  track = await RaceTrack.start(server.database, unlimited);
  admins = await Promise.all(times(6, () => signIn(server, { role: "admin" })));
});
afterAll(async () => {
  await track.stop();
  await server.stop();
});
beforeEach(async () => {
  await deleteNpcs(server);
  await deleteAll(server, "SurvivalGrant", "SurvivalServer", "SurvivalZonePreset");
  await server.context.models.SurvivalPermissionGroup.destroy({ where: { protected: false } });
  serverId = (await buildSurvivalServer(server)).id;
});

/** Thirty requests at once, of several administrators in turn and in both processes. */
const thirty = (request: (index: number) => Omit<Race, "headers">) =>
  track.run(
    times(30, (index) => ({ ...request(index), headers: admins[index % 6]?.headers ?? {} })),
  );

const inEach = (route: string) => track.inEach({ route, headers: admins[0]?.headers ?? {} });

/** How many each process lists. */
const listed = async (route: string, name: string) =>
  (await inEach(route)).map(({ body }) => (body as Record<string, object[]>)[name]?.length);

const rowsOf = async (table: string, where = "true") => {
  const [row] = await query<{ count: number }>(
    server,
    `select count(*)::integer as count from ${table} where ${where}`,
  );
  return row?.count;
};

const npcs = "/admin/survival/npcs";
const permissions = "/admin/survival/permissions";
const profile = (key: string) => ({
  route: `POST ${npcs}`,
  body: { key, displayName: "Forest boss" },
});
const placement = (name: string) => ({
  route: `POST ${npcs}/servers/${serverId}/placements`,
  body: { name, profileKey: "forest-boss", anchor: "world", x: 0, y: 0, z: 0 },
});

describe("thirty at once, in two processes", () => {
  it(
    "make as many profiles of NPCs as there is room for",
    inRounds(async () => {
      const { SurvivalNpcProfile } = server.context.models;
      const made = times(490, (index) => ({ key: `made-${index}`, document: {}, updatedBy: null }));
      await SurvivalNpcProfile.bulkCreate(made);
      const answers = await thirty((index) => profile(`one-${index}`));
      expect(counts(answers)).toEqual({ 201: 10, 409: 20 });
      const refused = answers.filter(({ status }) => status === 409).map(({ body }) => body);
      expect(refused).toEqual(times(20, () => ({ error: "There are 500 profiles already" })));
      expect(await rowsOf("survival_npc_profiles")).toBe(500);
    }),
  );

  it(
    "make as many placements of a server as there is room for",
    inRounds(async () => {
      await track.run([{ ...profile("forest-boss"), headers: admins[0]?.headers ?? {} }]);
      await buildPlacements(server, serverId, 490);
      const answers = await thirty((index) => placement(`one ${index}`));
      expect(counts(answers)).toEqual({ 201: 10, 409: 20 });
      const route = `GET ${npcs}/servers/${serverId}/placements`;
      expect(await listed(route, "placements")).toEqual([500, 500]);
    }),
  );

  const ofOneName: Readonly<Record<string, () => readonly [Omit<Race, "headers">, string]>> = {
    "a profile of NPCs": () => [profile("forest-boss"), "survival_npc_profiles"],
    "a permission group": () => [
      { route: `POST ${permissions}/groups`, body: { name: "vip", parent: "default" } },
      "survival_permission_groups where name = 'vip'",
    ],
    "a grant": () => [
      {
        route: `POST ${permissions}/grants`,
        body: { kind: "permission", steamId: "76561198000000001", value: "kits.vip" },
      },
      "survival_grants",
    ],
    "a zone preset": () => [
      {
        route: "POST /admin/survival/zones/presets",
        body: { key: "arena", name: "Arena", shape: { kind: "sphere", radius: 75 } },
      },
      "survival_zone_presets",
    ],
    "a server of one slug": () => [
      { route: "POST /admin/survival/servers", body: { name: "Oak", slug: "oak" } },
      "survival_servers where slug = 'oak'",
    ],
  };

  it.each(Object.keys(ofOneName))(
    "make %s once",
    inRounds(async (_round, name: string) => {
      const [request, table] = ofOneName[name]?.() ?? [{ route: "" }, ""];
      expect(counts(await thirty(() => request))).toEqual({ 201: 1, 409: 29 });
      const [from = "", where] = table.split(" where ");
      expect(await rowsOf(from, where)).toBe(1);
    }),
  );

  it(
    "make servers of one name under a slug for each",
    inRounds(async () => {
      const oak = { route: "POST /admin/survival/servers", body: { name: "Oak" } };
      expect(counts(await thirty(() => oak))).toEqual({ 201: 30 });
      expect(await rowsOf("survival_servers", "slug = 'oak' or slug like 'oak-%'")).toBe(30);
      expect(await rowsOf("ingest_sources", "source like 'survival:%'")).toBeGreaterThanOrEqual(30);
    }),
  );

  it(
    "give the last names of a ring of groups, which is never closed",
    inRounds(async () => {
      const names = times(30, (index) => `ring-${index}`);
      const { SurvivalPermissionGroup: Group } = server.context.models;
      const made = await Group.bulkCreate(
        names.map((name) => ({ name, parent: null, serverIds: [], updatedBy: null })),
      );
      const answers = await thirty((index) => ({
        route: `PUT ${permissions}/groups/${made[index]?.id}`,
        body: { parent: names[(index + 1) % 30] },
      }));
      expect(counts(answers)).toEqual({ 200: 29, 400: 1 });
    }),
  );

  it(
    "change and delete one group: it is deleted once, and nobody is in it",
    inRounds(async () => {
      const { SurvivalPermissionGroup: Group } = server.context.models;
      const { id } = await Group.create({
        name: "vip",
        parent: null,
        serverIds: [],
        updatedBy: null,
      });
      const grant = { kind: "membership", value: "vip" };
      const answers = await thirty((index) => {
        const kind = index % 3;
        if (kind === 0) return { route: `DELETE ${permissions}/groups/${id}` };
        if (kind === 1) {
          return { route: `PUT ${permissions}/groups/${id}`, body: { title: `VIP ${index}` } };
        }
        const steamId = `765611980000000${10 + index}`;
        return { route: `POST ${permissions}/grants`, body: { ...grant, steamId } };
      });
      const deleted = answers.filter((_answer, index) => index % 3 === 0);
      expect(counts(deleted)).toEqual({ 200: 1, 404: 9 });
      expect(answers.every(({ status }) => [200, 201, 400, 404].includes(status))).toBe(true);
      const live = "revoked_at is null and expired_at is null";
      expect(await rowsOf("survival_grants", live)).toBe(0);
    }),
  );

  it(
    "take back one grant: it is told once",
    inRounds(async () => {
      const { SurvivalGrant: Grant } = server.context.models;
      const { id } = await Grant.create({
        kind: "permission",
        value: "kits.vip",
        steamId: "76561198000000001",
        serverIds: [],
      });
      const answers = await thirty((index) =>
        index % 2 < 1
          ? { route: `DELETE ${permissions}/grants/${id}` }
          : { route: `PUT ${permissions}/grants/${id}`, body: { reason: `why ${index}` } },
      );
      const taken = answers.filter((_answer, index) => index % 2 < 1);
      expect(counts(taken)).toEqual({ 200: 1, 409: 14 });
      const key = `event_key = 'permission:${id}:revoked'`;
      expect(await rowsOf("survival_notices", key)).toBe(1);
    }),
  );

  it(
    "change and delete one server: it is deleted once",
    inRounds(async () => {
      const answers = await thirty((index) =>
        index % 2 < 1
          ? { route: `DELETE /admin/survival/servers/${serverId}?purge=true` }
          : {
              route: `PUT /admin/survival/servers/${serverId}`,
              body: { permissionSync: index % 4 < 2 },
            },
      );
      expect(counts(answers.filter((_answer, index) => index % 2 < 1))).toEqual({
        200: 1,
        404: 14,
      });
      expect(answers.every(({ status }) => status === 200 || status === 404)).toBe(true);
      expect(await rowsOf("ingest_sources", `source = 'survival:${serverId}'`)).toBe(0);
    }),
  );

  it("wait for each other in no circle", async () => {
    const deadlocks = await query<{ deadlocks: number }>(
      server,
      "select deadlocks::integer from pg_stat_database where datname = current_database()",
    );
    expect(deadlocks).toEqual([{ deadlocks: 0 }]);
  });
});
