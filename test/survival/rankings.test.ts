import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import type { EventFrame } from "../../shared/platform/bridge/frames.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";

let server: TestServer;
let serverId: number;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await deleteAll(server, "SurvivalNpcKill");
  serverId = (await buildSurvivalServer(server)).id;
  await store(serverId, worldOf(january));
});

const anna = { steamId: "76561198000000001", name: "Anna" };
const bert = { steamId: "76561198000000002", name: "Bert" };
const cora = { steamId: "76561198000000003", name: "Cora" };
const [january, february] = [Date.UTC(2026, 0, 1, 19), Date.UTC(2026, 1, 5, 19)];

const store = (id: number, ...frames: EventFrame[]) =>
  storeSurvivalFrames(server.context, id, frames);

const worldOf = (saveCreatedAt: number) =>
  survivalFrame("server.hello", {
    serverName: "Oak",
    worldReady: true,
    world: { level: "Procedural Map", seed: 77, size: 4250, saveCreatedAt },
    helpers: [],
    capabilities: [],
  });

let fallen = 0;

/** Returns the event of an NPC's death, at a minute of the first hour of 2026. */
function died(killer: object | null, minute: number, given: Partial<EventFrame> = {}): EventFrame {
  fallen += 1;
  return survivalFrame(
    "survival.npc.died",
    { netId: String(fallen), profile: "forest-boss", killer, grid: "P14", alive: 0 },
    { t: Date.UTC(2026, 0, 1, 0, minute), saveId: january, eventKey: `npc:${fallen}`, ...given },
  );
}

const get = async (path: string, headers?: Record<string, string>) =>
  statusAndBodyOf(await callRoute(server, `GET ${path}`, { headers }));

const of = (id: number, rest = "") => `server=${id}${rest}`;
const ranking = (rest = "") =>
  get(`/public/survival/profiles/forest-boss/ranking?${of(serverId, rest)}`);

const entry = (rank: number, player: typeof anna, kills: number, minute: number) => ({
  rank,
  ...player,
  kills,
  lastAt: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
});

describe("the ranking by killed NPCs", () => {
  it("counts each death once for its killer, and for nobody if no killer is named", async () => {
    const once = died({ ...anna, name: "<color=#f00>Anna</color>" }, 1);
    await store(serverId, died(anna, 2), once, died(bert, 3), died(null, 4));
    await store(serverId, { ...once, seq: once.seq + 10_000 });
    const leader = { steamId: anna.steamId, name: "Anna", kills: 2 };
    const profile = { key: "forest-boss", name: "forest-boss", boss: false, kills: 3, leader };
    expect(await ranking()).toEqual([
      200,
      {
        profile,
        entries: [entry(1, anna, 2, 2), entry(2, bert, 1, 3)],
        total: 2,
      },
    ]);
    expect(await get(`/public/survival/profiles?${of(serverId)}`)).toEqual([
      200,
      { profiles: [profile] },
    ]);
  });

  it("gives players with equal kills the same rank, and lists first the player who reached the number first", async () => {
    await store(serverId, died(cora, 1), died(bert, 2), died(anna, 3), died(cora, 4));
    const [, body] = await ranking();
    expect((body as { entries: object[] }).entries).toEqual([
      entry(1, cora, 2, 4),
      entry(2, bert, 1, 2),
      entry(2, anna, 1, 3),
    ]);
    const [, page] = await ranking("&limit=1&offset=1");
    expect(page).toMatchObject({ entries: [entry(2, bert, 1, 2)], total: 3 });
  });

  it("is separate for each world", async () => {
    await store(serverId, died(anna, 1), worldOf(february));
    const { saveId: _, ...unnamed } = died(bert, 3);
    await store(serverId, died(bert, 2, { saveId: february }), unnamed);
    const { SurvivalWipe } = server.context.models;
    const oldest = await SurvivalWipe.findOne({ where: { serverId }, order: ["saveId"] });
    const [, before] = await ranking(`&wipe=${oldest?.id}`);
    expect(before).toMatchObject({ entries: [entry(1, anna, 1, 1)] });
    const [, now] = await ranking("&wipe=current");
    expect(now).toMatchObject({ entries: [entry(1, bert, 2, 3)] });
  });

  it("leaves out unlisted servers, and leaves out staff if the server ignores staff", async () => {
    const staff = {
      saveId: january,
      tallies: [{ ...bert, stats: {}, playtimeSec: 0, staff: true }],
    };
    await store(serverId, survivalFrame("player.tally", staff), died(anna, 1), died(bert, 2));
    const hidden = await buildSurvivalServer(server, { listed: false });
    await store(hidden.id, worldOf(january), died(cora, 3));
    const [, body] = await get("/public/survival/profiles/forest-boss/ranking?limit=100");
    expect(body).toMatchObject({ entries: [entry(1, anna, 1, 1)], total: 1 });
    expect(await get(`/public/survival/profiles?${of(hidden.id)}`)).toMatchObject([404, {}]);
  });

  it("contains no profile that occurs only on unlisted servers", async () => {
    const hidden = (await buildSurvivalServer(server, { listed: false })).id;
    await store(hidden, worldOf(january), died(anna, 1));
    expect(await get("/public/survival/profiles")).toEqual([200, { profiles: [] }]);
    const ofIt = await get("/public/survival/profiles/forest-boss/ranking");
    expect(ofIt).toEqual([404, { error: "Unknown profile" }]);
  });

  it("lists at most a thousand profiles, even if a server sends more", async () => {
    const killed = (at: number) => {
      const named = { profile: `made-up-${at}`, netId: String(at), killer: anna };
      return survivalFrame("survival.npc.died", named, { saveId: january, eventKey: `${at}` });
    };
    const twice = { ...died(bert, 1), payload: { ...killed(7).payload, netId: "7777" } };
    const frames = Array.from({ length: 1_001 }, (_, at) => killed(at));
    await store(serverId, ...frames, twice);
    const [, body] = await get("/public/survival/profiles");
    const { profiles } = body as { profiles: { key: string; kills: number }[] };
    expect(profiles).toHaveLength(1_000);
    expect(profiles[0]).toMatchObject({ key: "made-up-7", kills: 2 });
    const [, own] = await get(`/public/survival/players/${anna.steamId}/profiles`);
    expect((own as { profiles: object[] }).profiles).toHaveLength(1_000);
  });

  it("uses the profile names of the site, and leaves out unranked and deleted profiles", async () => {
    const headers = (await signIn(server, { role: "admin" })).headers;
    const make = async (key: string, given: object) => {
      const body = { key, displayName: `<b>${key}</b> of the north`, ...given };
      const made = await callRoute(server, "POST /admin/survival/npcs", { body, headers });
      return (made.body as { profile: { id: number } }).profile.id;
    };
    await store(serverId, died(anna, 1));
    const boss = await make("forest-boss", { boss: true });
    await make("swamp-boss", {});
    await make("guard", { ranked: false });
    const leader = { steamId: anna.steamId, name: "Anna", kills: 1 };
    const first = { key: "forest-boss", name: "forest-boss of the north", boss: true, kills: 1 };
    const second = { key: "swamp-boss", name: "swamp-boss of the north", boss: false, kills: 0 };
    expect(await get(`/public/survival/profiles?${of(serverId)}`)).toEqual([
      200,
      { profiles: [{ ...first, leader }, second] },
    ]);
    expect(await ranking()).toMatchObject([200, { profile: { ...first, leader } }]);
    expect((await get("/public/survival/profiles/guard/ranking"))[0]).toBe(404);
    const mine = `/public/survival/players/${anna.steamId}/profiles?${of(serverId)}`;
    expect(await get(mine)).toMatchObject([
      200,
      { profiles: [{ key: "forest-boss", name: "forest-boss of the north", kills: 1, rank: 1 }] },
    ]);
    await callRoute(server, `DELETE /admin/survival/npcs/profiles/${boss}`, { headers });
    expect(await ranking()).toMatchObject([404, {}]);
    expect(await get(`/public/survival/profiles?${of(serverId)}`)).toEqual([
      200,
      { profiles: [second] },
    ]);
    expect(await get(mine)).toMatchObject([200, { profiles: [] }]);
    await deleteAll(server, "SurvivalNpcProfile");
  });

  it("answers 404 for an unknown profile, server or wipe, and for a wipe of another server", async () => {
    await store(serverId, died(anna, 1));
    const other = await buildSurvivalServer(server);
    const wipe = await server.context.models.SurvivalWipe.findOne({ where: { serverId } });
    for (const path of [
      "profiles/unknown/ranking",
      "profiles?server=999999",
      "profiles?wipe=999999",
      `profiles?server=${other.id}&wipe=${wipe?.id}`,
    ]) {
      expect((await get(`/public/survival/${path}`))[0]).toBe(404);
    }
    expect((await get("/public/survival/profiles?wipe=last"))[0]).toBe(400);
  });
});

describe("the NPC kills of one player", () => {
  it("are listed by profile, with the rank of the player", async () => {
    await store(serverId, died(anna, 1), died(bert, 2), died(bert, 3));
    expect(await get(`/public/survival/players/${anna.steamId}/profiles?${of(serverId)}`)).toEqual([
      200,
      {
        player: { steamId: anna.steamId, name: "Anna" },
        profiles: [{ key: "forest-boss", name: "forest-boss", kills: 1, rank: 2 }],
      },
    ]);
  });

  it("are answered 400 for a malformed Steam id, and 404 for an unknown player", async () => {
    expect((await get("/public/survival/players/12345/profiles"))[0]).toBe(400);
    expect((await get("/public/survival/players/76561198999999999/profiles"))[0]).toBe(404);
  });

  it("are, for the caller, the sum over all linked accounts", async () => {
    const [user, other] = [await signIn(server), await signIn(server)];
    await store(serverId, died(anna, 1), died(bert, 2), died(bert, 3), died(cora, 4));
    for (const [{ steamId, name }, userId] of [
      [anna, user.userId],
      [bert, user.userId],
      [cora, other.userId],
    ] as const) {
      const linkedAt = new Date(Date.UTC(2026, 0, Number(steamId.at(-1))));
      await server.context.models.SteamLink.create({ steamId, userId, name, serverId, linkedAt });
    }
    expect(await get("/player/survival/profiles", user.headers)).toEqual([
      200,
      {
        players: [
          { steamId: anna.steamId, name: "Anna" },
          { steamId: bert.steamId, name: "Bert" },
        ],
        profiles: [{ key: "forest-boss", name: "forest-boss", kills: 3, rank: 1 }],
      },
    ]);
    expect((await get("/player/survival/profiles"))[0]).toBe(401);
  });
});
