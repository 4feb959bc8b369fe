import { Op } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Models } from "../../models/index.ts";
import { sourceNameOf } from "../../shared/survival/server-locks.ts";
import { countDeadlocks } from "../support/database/deadlocks.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { query } from "../support/database/query.ts";
import { buildPlacements, deleteNpcs } from "../support/factories/survival-npcs.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { type AdminRaces, startAdminRaces } from "../support/races/admin-races.ts";
import { countStatuses, repeatRace, type Race, makeList } from "../support/races/race.ts";
import type { TestServer } from "../support/service/server.ts";

let races: AdminRaces;
let server: TestServer;
let serverId: number;

beforeAll(async () => {
  races = await startAdminRaces(6);
  ({ server } = races);
});
afterAll(() => races.stop());

async function makeServer(): Promise<void> {
  await deleteNpcs(server);
  await deleteAll(server, "SurvivalGrant", "SurvivalServer", "SurvivalZonePreset");
  await server.context.models.SurvivalPermissionGroup.destroy({ where: { protected: false } });
  serverId = (await buildSurvivalServer(server)).id;
}

/** Runs the rounds of a race, each with a new survival server. */
const repeatRaceAnew = <Given extends unknown[]>(race: (...given: Given) => Promise<void>) =>
  repeatRace<Given>(async (_round, ...given) => {
    await makeServer();
    await race(...given);
  });

/** Sends thirty requests at once, by several administrators and to two processes. */
const thirty = (request: (index: number) => Omit<Race, "headers">) =>
  races.track.run(
    makeList(30, (index) => ({ ...request(index), headers: races.headersOf(index) })),
  );

const inEach = (route: string) => races.track.inEach({ route, headers: races.headersOf(0) });

/** Lists objects in each process. @returns their number, by process */
const listed = async (route: string, name: string) =>
  (await inEach(route)).map(({ body }) => (body as Record<string, object[]>)[name]?.length);

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

describe("thirty concurrent requests through two processes", () => {
  it(
    "create NPC profiles only up to their limit",
    repeatRaceAnew(async () => {
      const { SurvivalNpcProfile } = server.context.models;
      const made = makeList(490, (index) => ({
        key: `made-${index}`,
        document: {},
        updatedBy: null,
      }));
      await SurvivalNpcProfile.bulkCreate(made);
      const answers = await thirty((index) => profile(`one-${index}`));
      expect(countStatuses(answers)).toEqual({ 201: 10, 409: 20 });
      const refused = answers.filter(({ status }) => status === 409).map(({ body }) => body);
      expect(refused).toEqual(
        makeList(20, () => ({ error: "There are already 500 profiles: delete one first" })),
      );
      expect(await SurvivalNpcProfile.count()).toBe(500);
    }),
  );

  it(
    "create placements of a server only up to their limit",
    repeatRaceAnew(async () => {
      await races.track.run([{ ...profile("forest-boss"), headers: races.headersOf(0) }]);
      await buildPlacements(server, serverId, 490);
      const answers = await thirty((index) => placement(`one ${index}`));
      expect(countStatuses(answers)).toEqual({ 201: 10, 409: 20 });
      const route = `GET ${npcs}/servers/${serverId}/placements`;
      expect(await listed(route, "placements")).toEqual([500, 500]);
    }),
  );

  /** A request, and a function that counts the rows it has created. */
  type Making = readonly [Omit<Race, "headers">, (models: Models) => Promise<number>];

  const ofOneName: Readonly<Record<string, () => Making>> = {
    "an NPC profile": () => [
      profile("forest-boss"),
      ({ SurvivalNpcProfile }) => SurvivalNpcProfile.count(),
    ],
    "a permission group": () => [
      { route: `POST ${permissions}/groups`, body: { name: "vip", parent: "default" } },
      ({ SurvivalPermissionGroup: Group }) => Group.count({ where: { name: "vip" } }),
    ],
    "a grant": () => [
      {
        route: `POST ${permissions}/grants`,
        body: { kind: "permission", steamId: "76561198000000001", value: "kits.vip" },
      },
      ({ SurvivalGrant }) => SurvivalGrant.count(),
    ],
    "a zone preset": () => [
      {
        route: "POST /admin/survival/zones/presets",
        body: { key: "arena", name: "Arena", shape: { kind: "sphere", radius: 75 } },
      },
      ({ SurvivalZonePreset }) => SurvivalZonePreset.count(),
    ],
    "a server with the same slug": () => [
      { route: "POST /admin/survival/servers", body: { name: "Oak", slug: "oak" } },
      ({ SurvivalServer }) => SurvivalServer.count({ where: { slug: "oak" } }),
    ],
  };

  it.each(Object.keys(ofOneName))(
    "create %s only once",
    repeatRaceAnew(async (name: string) => {
      const [request, countMade] = ofOneName[name]?.() ?? [];
      if (!request || !countMade) throw new Error(`nothing makes ${name}`);
      expect(countStatuses(await thirty(() => request))).toEqual({ 201: 1, 409: 29 });
      expect(await countMade(server.context.models)).toBe(1);
    }),
  );

  it(
    "create thirty servers with the same name, each with a separate slug",
    repeatRaceAnew(async () => {
      const oak = { route: "POST /admin/survival/servers", body: { name: "Oak" } };
      expect(countStatuses(await thirty(() => oak))).toEqual({ 201: 30 });
      const { SurvivalServer, IngestSource } = server.context.models;
      const slug = { [Op.or]: ["oak", { [Op.like]: "oak-%" }] };
      expect(await SurvivalServer.count({ where: { slug } })).toBe(30);
      const source = { [Op.startsWith]: "survival:" };
      expect(await IngestSource.count({ where: { source } })).toBeGreaterThanOrEqual(30);
    }),
  );

  it(
    "set the parents of thirty groups, except for a parent that would close a cycle",
    repeatRaceAnew(async () => {
      const names = makeList(30, (index) => `ring-${index}`);
      const { SurvivalPermissionGroup: Group } = server.context.models;
      const made = await Group.bulkCreate(
        names.map((name) => ({ name, parent: null, serverIds: [], updatedBy: null })),
      );
      const answers = await thirty((index) => ({
        route: `PUT ${permissions}/groups/${made[index]?.id}`,
        body: { parent: names[(index + 1) % 30] },
      }));
      expect(countStatuses(answers)).toEqual({ 200: 29, 400: 1 });
    }),
  );

  it(
    "change and delete one group, which is deleted once and keeps no members",
    repeatRaceAnew(async () => {
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
      expect(countStatuses(deleted)).toEqual({ 200: 1, 404: 9 });
      expect(answers.every(({ status }) => [200, 201, 400, 404].includes(status))).toBe(true);
      const live = { revokedAt: null, expiredAt: null };
      expect(await server.context.models.SurvivalGrant.count({ where: live })).toBe(0);
    }),
  );

  it(
    "revoke one grant once and queue one notice",
    repeatRaceAnew(async () => {
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
      expect(countStatuses(taken)).toEqual({ 200: 1, 409: 14 });
      const told = "select from survival_notices where event_key = $1";
      expect(await query(server, told, `permission:${id}:revoked`)).toHaveLength(1);
    }),
  );

  it(
    "change and delete one server, which is deleted once",
    repeatRaceAnew(async () => {
      const answers = await thirty((index) =>
        index % 2 < 1
          ? { route: `DELETE /admin/survival/servers/${serverId}?purge=true` }
          : {
              route: `PUT /admin/survival/servers/${serverId}`,
              body: { permissionSync: index % 4 < 2 },
            },
      );
      expect(countStatuses(answers.filter((_answer, index) => index % 2 < 1))).toEqual({
        200: 1,
        404: 14,
      });
      expect(answers.every(({ status }) => status === 200 || status === 404)).toBe(true);
      const { IngestSource } = server.context.models;
      expect(await IngestSource.findByPk(sourceNameOf(serverId))).toBeNull();
    }),
  );

  it("cause no deadlock", async () => {
    expect(await countDeadlocks(server)).toBe(0);
  });
});
