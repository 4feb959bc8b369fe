import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { statNames } from "../../shared/survival/kinds/stat-names.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import {
  buildSteamLink,
  buildSurvivalServer,
  changeSurvivalServers,
} from "../support/factories/survival.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";
import { changeSurvivalVisibility } from "../support/survival/survival-visibility.ts";

let server: TestServer;
let oak: number;
let elm: number;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await deleteAll(server, "SurvivalServer", "SteamLink");
  [oak, elm] = [(await buildSurvivalServer(server)).id, (await buildSurvivalServer(server)).id];
  for (const id of [oak, elm]) await tellWorld(id, january);
});

const [january, february] = [Date.UTC(2026, 0, 1, 19), Date.UTC(2026, 1, 5, 19)];
const anna = { steamId: "76561198000000001", name: "Anna" };
const bert = { steamId: "76561198000000002", name: "Bert" };
const cora = { steamId: "76561198000000003", name: "Cora" };

const tellWorld = (id: number, saveCreatedAt: number) =>
  storeSurvivalFrames(server.context, id, [
    survivalFrame("server.hello", {
      serverName: "Oak",
      worldReady: true,
      world: { saveCreatedAt },
      helpers: [],
      capabilities: [],
    }),
  ]);

interface TallyFields {
  readonly saveId?: number;
  readonly playtimeSec?: number;
  readonly staff?: boolean;
}

const tally = (
  id: number,
  player: typeof anna,
  stats: object,
  { saveId = january, playtimeSec = 0, staff = false }: TallyFields = {},
) =>
  storeSurvivalFrames(server.context, id, [
    survivalFrame("player.tally", { saveId, tallies: [{ ...player, stats, playtimeSec, staff }] }),
  ]);

const get = async (path: string, headers?: Record<string, string>) =>
  statusAndBodyOf(await callRoute(server, `GET ${path}`, { headers }));
/** Reads the page of a player. Clears the cache of answers first. */
const page = (player: typeof anna, rest = "", headers?: Record<string, string>) => {
  server.context.keptAnswers.clear();
  return get(`/public/survival/players/${player.steamId}${rest}`, headers);
};

/** Returns the values of all stats. Those that are not given are zero and have no rank. */
const stats = (given: Record<string, { value: number; rank: number | null }>) => ({
  ...Object.fromEntries(statNames.map((stat) => [stat, { value: 0, rank: null }])),
  ...given,
});

const totals = (given: Record<string, number>) => ({
  ...Object.fromEntries(statNames.map((stat) => [stat, 0])),
  ...given,
});

describe("the page of a player", () => {
  it("shows every statistic with its rank, for all servers and worlds or for one of them", async () => {
    await tally(oak, anna, { playersKilled: 5, pvpKillDistance: 100 }, { playtimeSec: 60 });
    await tally(elm, anna, { playersKilled: 2, pvpKillDistance: 80 });
    await tally(oak, bert, { playersKilled: 6, pvpKillDistance: 300 });
    await tally(oak, cora, { playersKilled: 5 });
    const all = stats({
      playersKilled: { value: 7, rank: 1 },
      pvpKillDistance: { value: 100, rank: 2 },
      playtime: { value: 60, rank: 1 },
    });
    expect(await page(anna)).toEqual([200, { player: anna, stats: all, titles: [] }]);
    const atOak = stats({
      playersKilled: { value: 5, rank: 2 },
      pvpKillDistance: { value: 100, rank: 2 },
      playtime: { value: 60, rank: 1 },
    });
    expect(await page(anna, `?server=${oak}`)).toEqual([
      200,
      { player: anna, stats: atOak, titles: [] },
    ]);
    await tellWorld(oak, february);
    await tally(oak, anna, { playersKilled: 1 }, { saveId: february });
    expect(await page(anna, `?server=${oak}&wipe=current`)).toEqual([
      200,
      { player: anna, stats: stats({ playersKilled: { value: 1, rank: 1 } }), titles: [] },
    ]);
  });

  it("counts no statistics of staff if the server ignores staff, nor of an unlisted server", async () => {
    await tally(oak, anna, { playersKilled: 5 }, { staff: true });
    await changeSurvivalServers(server, { listed: false }, { id: elm });
    await tally(elm, bert, { playersKilled: 9 });
    expect(await page(anna)).toEqual([200, { player: anna, stats: stats({}), titles: [] }]);
    expect(await page(bert)).toEqual([404, { error: "Unknown player" }]);
    expect((await page(bert, `?server=${elm}`))[0]).toBe(404);
  });

  it("shows the titles that the player holds", async () => {
    await tally(oak, anna, { headshots: 5 });
    await tally(oak, bert, { headshots: 4 });
    await server.context.models.SurvivalTitleRule.create({
      serverId: oak,
      position: 1,
      stat: "headshots",
      topN: 1,
      text: null,
      color: "#d08030",
    });
    const held = { text: "Assassin", color: "#d08030", stat: "headshots", rank: 1 };
    const titlesOf = async (player: typeof anna, rest = "") =>
      ((await page(player, rest))[1] as { titles: object[] }).titles;
    expect(await titlesOf(anna)).toEqual([held]);
    expect(await titlesOf(anna, `?server=${oak}`)).toEqual([held]);
    expect(await titlesOf(anna, `?server=${elm}`)).toEqual([]);
    expect(await titlesOf(bert)).toEqual([]);
  });

  it("shows the clan only to callers who may see its members", async () => {
    await tally(oak, anna, {});
    const clan = { clanId: "17", created: "1764542400", name: "<b>Night</b> Owls" };
    const at = Date.UTC(2026, 0, 2);
    await storeSurvivalFrames(server.context, oak, [
      survivalFrame("clan.board", {
        at,
        clans: [{ ...clan, score: "5", members: 1 }],
        limit: 100,
      }),
      survivalFrame("clan.roster", {
        clanId: clan.clanId,
        created: clan.created,
        roles: [{ roleId: 1, rank: 1, name: "Leader" }],
        members: [{ ...anna, roleId: 1, joinedAt: at }],
      }),
    ]);
    const { headers } = await signIn(server, { role: "moderator" });
    const named = { externalId: `${oak}-17-1764542400`, name: "Night Owls" };
    const body = { player: anna, stats: stats({}), titles: [] };
    expect(await page(anna, "", headers)).toEqual([200, { ...body, clan: named }]);
    expect(await page(anna, `?server=${elm}`, headers)).toEqual([200, body]);
    expect(await page(anna)).toEqual([200, body]);
    // The name of a clan identifies people, so a public page shows it only for a server that is
    // trusted to link accounts.
    await changeSurvivalServers(server, { acceptsLinks: false }, { id: oak });
    const ofOak = { ...body, player: { ...anna, name: anna.steamId } };
    expect(await page(anna, "", headers)).toEqual([200, ofOak]);
    expect(await page(anna, `?server=${oak}`, headers)).toEqual([200, { ...body, clan: named }]);
  });

  it("answers 403 to callers below the audience of profiles, 404 for an unknown player, 400 for a bad id", async () => {
    await tally(oak, anna, {});
    expect((await page({ ...anna, steamId: "76561198999999999" }))[0]).toBe(404);
    for (const steamId of ["12345", "__proto__"]) {
      expect((await page({ ...anna, steamId }))[0]).toBe(400);
    }
    await changeSurvivalVisibility(server, { profiles: "player" });
    const user = await signIn(server);
    expect((await page(anna))[0]).toBe(403);
    expect((await page(anna, "", user.headers))[0]).toBe(403);
    const { steamId, name } = bert;
    await server.context.models.SteamLink.create({ steamId, name, userId: user.userId });
    expect((await page(anna, "", user.headers))[0]).toBe(200);
    await changeSurvivalVisibility(server, { profiles: null });
    expect((await page(anna))[0]).toBe(200);
  });
});

describe("the name of a player", () => {
  const leaders = async (id: number) => {
    const [, body] = await get(`/public/survival/servers/${id}/leaderboard`);
    return (body as { entries: { name: string }[] }).entries.map(({ name }) => name);
  };

  it("is that of the requested server, or the latest name on the page over all servers", async () => {
    await tally(oak, anna, { playersKilled: 5 });
    await tally(elm, { ...anna, name: "Annie" }, { playersKilled: 2 });
    expect([await leaders(oak), await leaders(elm)]).toEqual([["Anna"], ["Annie"]]);
    const named = async (rest: string) => (await page(anna, rest))[1];
    expect(await named("")).toMatchObject({ player: { ...anna, name: "Annie" } });
    expect(await named(`?server=${oak}`)).toMatchObject({ player: anna });
  });

  it("comes, on the page over all servers, never from a server that does not accept links", async () => {
    await changeSurvivalServers(server, { acceptsLinks: false }, { id: elm });
    await tally(oak, anna, { playersKilled: 5 });
    await tally(elm, { ...anna, name: "ADMIN" }, { playersKilled: 2 });
    await tally(elm, { ...bert, name: "ADMIN" }, { playersKilled: 2 });
    expect(await leaders(elm)).toEqual(["ADMIN", "ADMIN"]);
    expect((await page(anna))[1]).toMatchObject({ player: anna });
    expect((await page(anna, `?server=${elm}`))[1]).toMatchObject({ player: { name: "ADMIN" } });
    expect((await page(bert))[1]).toMatchObject({ player: { name: bert.steamId } });
  });

  it("is the name of the Steam link on the page over all servers", async () => {
    const { userId } = await signIn(server);
    await buildSteamLink(server, { steamId: anna.steamId, name: "Linked", userId });
    await tally(elm, { ...anna, name: "Annie" }, { playersKilled: 2 });
    expect((await page(anna))[1]).toMatchObject({ player: { name: "Linked" } });
    expect((await page(anna, `?server=${elm}`))[1]).toMatchObject({ player: { name: "Annie" } });
  });

  it("is not changed by an unlisted server, and a player known only there has no page", async () => {
    const unlisted = (await buildSurvivalServer(server, { listed: false })).id;
    await tellWorld(unlisted, january);
    await tally(oak, anna, { playersKilled: 5 });
    await tally(unlisted, { ...anna, name: "Renamed" }, { playersKilled: 9 });
    await tally(unlisted, bert, { playersKilled: 9 });
    expect(await leaders(oak)).toEqual(["Anna"]);
    expect((await page(anna))[1]).toMatchObject({ player: anna });
    for (const rest of ["", "/profiles"]) {
      expect(await page(bert, rest)).toEqual([404, { error: "Unknown player" }]);
      expect((await page(anna, rest))[0]).toBe(200);
    }
  });
});

describe("the caller's own statistics", () => {
  it("are shown for each linked account and in total", async () => {
    const [user, other] = [await signIn(server), await signIn(server)];
    await tally(oak, anna, { playersKilled: 5, pvpKillDistance: 100 });
    await tally(elm, bert, { playersKilled: 2, pvpKillDistance: 300 });
    await tally(oak, cora, { playersKilled: 4 });
    for (const [{ steamId, name }, { userId }, day] of [
      [anna, user, 1],
      [bert, user, 2],
      [cora, other, 3],
    ] as const) {
      const linkedAt = new Date(Date.UTC(2026, 0, day));
      await server.context.models.SteamLink.create({ steamId, name, userId, linkedAt });
    }
    expect(await get("/player/survival/stats", user.headers)).toEqual([
      200,
      {
        players: [
          {
            ...anna,
            stats: stats({
              playersKilled: { value: 5, rank: 1 },
              pvpKillDistance: { value: 100, rank: 2 },
            }),
          },
          {
            ...bert,
            stats: stats({
              playersKilled: { value: 2, rank: 3 },
              pvpKillDistance: { value: 300, rank: 1 },
            }),
          },
        ],
        total: totals({ playersKilled: 7, pvpKillDistance: 300 }),
      },
    ]);
  });

  it("are empty without a link, and answer 401 without a session", async () => {
    const { headers } = await signIn(server);
    expect(await get("/player/survival/stats", headers)).toEqual([
      200,
      { players: [], total: totals({}) },
    ]);
    expect((await get("/player/survival/stats"))[0]).toBe(401);
    expect((await get("/player/survival/stats?wipe=999999", headers))[0]).toBe(404);
  });
});
