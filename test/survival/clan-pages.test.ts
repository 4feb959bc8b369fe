import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { clockNowPlus } from "../../models/queries/clock.ts";
import type { EventFrame } from "../../shared/platform/bridge/frames.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import {
  buildSteamLink,
  buildSurvivalServer,
  changeSurvivalServers,
  changeSurvivalSource,
} from "../support/factories/survival.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";

let server: TestServer;
let serverId: number;
let staff: SignedIn;

beforeAll(async () => {
  server = await startTestServer();
  staff = await signIn(server, { role: "moderator" });
});
afterAll(() => server.stop());
beforeEach(async () => {
  serverId = (await buildSurvivalServer(server)).id;
});

const at = (minute: number) => Date.UTC(2026, 0, 1, 0, minute);
const iso = (minute: number) => new Date(at(minute)).toISOString();

const anna = { steamId: "76561198000000001", name: "Anna" };
const bert = { steamId: "76561198000000002", name: "Bert" };

const store = (...frames: EventFrame[]) => storeSurvivalFrames(server.context, serverId, frames);

/** Makes the game and its link appear online. */
async function comeOnline(): Promise<void> {
  await store(survivalFrame("server.status", { state: "online", players: 1, maxPlayers: 50 }));
  await changeSurvivalServers(server, { enabled: true }, { id: serverId });
  const beatAt = clockNowPlus(3_600_000);
  await changeSurvivalSource(server, serverId, {
    state: "connected",
    pluginConnected: true,
    beatAt,
  });
}

const owls = { clanId: "17", created: "1764542400", name: "Owls" };
const rats = { clanId: "18", created: "1764542401", name: "<b>Rats</b>" };
const onBoard = { score: "50", color: -12_947_803, members: 3 };

const board = (minute: number, clans: object[], limit = 100) =>
  survivalFrame("clan.board", { at: at(minute), clans, limit });

const roster = (minute: number, members: object[], clan: object = owls) => {
  const { clanId, created } = { ...owls, ...clan };
  const roles = [
    { roleId: 1, rank: 1, name: "<b>Lea\u202Eder</b>" },
    { roleId: 4, rank: 5, name: "Member" },
  ];
  const payload = { clanId, created, motd: "<color=red>meet</color> at F12", roles, members };
  return survivalFrame("clan.roster", payload, { t: at(minute) });
};

const members = [
  { ...bert, roleId: 4, joinedAt: at(2), lastSeenAt: at(9), online: false },
  { ...anna, roleId: 1, joinedAt: at(1), lastSeenAt: at(10), online: true },
];

const happened = (kind: string, minute: number, given: object = {}) =>
  survivalFrame(`clan.${kind}`, { ...owls, ...given }, { t: at(minute) });

const get = async (path: string, user?: SignedIn) =>
  statusAndBodyOf(
    await callRoute(server, `GET /public/survival${path}`, { headers: user?.headers }),
  );

const readBoard = async (): Promise<Record<string, unknown>> => {
  const [, body] = await get(`/servers/${serverId}/clans`, staff);
  return body as Record<string, unknown>;
};
const namesOf = ({ clans }: Record<string, unknown>) =>
  (clans as { name: string }[]).map(({ name }) => name);
const idOf = ({ clanId, created }: typeof owls) => `${serverId}-${clanId}-${created}`;
const readOwls = async (user?: SignedIn) => {
  const [, body] = await get(`/clans/${idOf(owls)}`, user);
  return body as { clan: Record<string, unknown> };
};

/** Returns the clan as visitors see it. */
const shownOwls = (given: object = {}) => ({
  externalId: idOf(owls),
  serverId,
  clanId: "17",
  createdAt: "1764542400",
  name: "Owls",
  color: "#3a6ea5",
  logoHash: null,
  score: 50,
  rank: 1,
  memberCount: 3,
  firstSeenAt: iso(1),
  lastSeenAt: iso(1),
  disbandedAt: null,
  ...given,
});

async function signInLinked(steamId: string): Promise<SignedIn> {
  const user = await signIn(server);
  await server.context.models.SteamLink.destroy({ where: { steamId } });
  await buildSteamLink(server, { steamId, userId: user.userId });
  return user;
}

describe("the clan board of a server", () => {
  it("lists all clans in board order, or a page of them", async () => {
    expect(await get(`/servers/${serverId}/clans`)).toEqual([
      200,
      { clans: [], total: 0, ceiling: 100, complete: false, updatedAt: null },
    ]);
    const score = "9223372036854775807";
    await store(
      board(1, [
        { ...owls, ...onBoard },
        { ...rats, ...onBoard, score, members: 2 },
      ]),
    );
    const shownRats = {
      ...shownOwls({ rank: 2, memberCount: 2, name: "Rats", score }),
      externalId: idOf(rats),
      clanId: "18",
      createdAt: "1764542401",
    };
    const all = { total: 2, ceiling: 100, complete: true, updatedAt: iso(1) };
    expect(await get(`/servers/${serverId}/clans`)).toEqual([
      200,
      { clans: [shownOwls(), shownRats], ...all },
    ]);
    expect(await get(`/servers/${serverId}/clans?limit=1&offset=1`)).toEqual([
      200,
      { clans: [shownRats], ...all },
    ]);
  });

  it("marks clans that it omits as disbanded if it lists fewer clans than its limit", async () => {
    await store(
      board(
        1,
        [owls, rats].map((clan) => ({ ...clan, ...onBoard })),
      ),
    );
    await store(board(2, [{ ...rats, ...onBoard }]));
    expect(namesOf(await readBoard())).toEqual(["Rats"]);
    expect((await readOwls()).clan).toMatchObject({ disbandedAt: iso(2), rank: null });
    await store(board(3, [{ ...owls, ...onBoard }]));
    expect((await readOwls()).clan).toMatchObject({ disbandedAt: null, rank: 1 });
  });

  it("keeps clans that it omits if it lists as many clans as its limit", async () => {
    await store(
      board(
        1,
        [owls, rats].map((clan) => ({ ...clan, ...onBoard })),
      ),
    );
    const hundred = Array.from({ length: 100 }, (_, index) => ({
      ...onBoard,
      clanId: String(1_000 + index),
      created: "1",
      name: `Clan ${index}`,
    }));
    await store(board(2, hundred));
    expect(await readBoard()).toMatchObject({ total: 102, complete: false });
    expect((await readOwls()).clan).toMatchObject({ disbandedAt: null, rank: null });
  });

  it("is ignored if it is older than the last stored board", async () => {
    await store(board(2, [{ ...owls, ...onBoard }]), board(1, [{ ...rats, ...onBoard }]));
    expect(namesOf(await readBoard())).toEqual(["Owls"]);
  });

  it("marks a clan that it omits as disbanded if the clan was reported before the board, even with a later time", async () => {
    await store(board(1, []), happened("created", 9), board(2, []));
    expect((await readOwls()).clan).toMatchObject({ disbandedAt: iso(2) });
  });

  it("is ignored if the game repeats it, so a clan that was created since then stays", async () => {
    await store(board(2, []), happened("created", 1), board(2, []));
    expect((await readOwls()).clan).toMatchObject({ disbandedAt: null });
  });

  it("answers 404 for an unlisted server, and so do its clans", async () => {
    await store(board(1, [{ ...owls, ...onBoard }]));
    await changeSurvivalServers(server, { listed: false }, { id: serverId });
    expect((await get(`/servers/${serverId}/clans`, staff))[0]).toBe(404);
    expect((await get(`/clans/${idOf(owls)}`, staff))[0]).toBe(404);
  });
});

describe("a clan", () => {
  it("with a reused id is a different clan from the former clan with this id", async () => {
    const heirs = { ...owls, created: "1790000000", name: "Heirs" };
    await store(board(1, [{ ...owls, ...onBoard }]), board(2, [{ ...heirs, ...onBoard }]));
    await store(roster(3, members, heirs));
    expect((await readOwls(staff)).clan).toMatchObject({ name: "Owls", disbandedAt: iso(2) });
    expect(await get(`/clans/${idOf(heirs)}`)).toMatchObject([200, { clan: { name: "Heirs" } }]);
  });

  it("has a separate page, however similar its name is to another name", async () => {
    const written = [
      "Owls",
      "O\u200Bwls",
      "\u202EOwls\u202C",
      "<b>Owls</b>",
      "\u041Ewls",
      "\u2800\u200B",
    ];
    const clans = written.map((name, place) => ({
      ...owls,
      clanId: `${20 + place}`,
      name,
      ...onBoard,
    }));
    const rosters = clans.map(({ clanId, name }, place) =>
      roster(2, [{ ...anna, steamId: `7656119800000000${place}`, roleId: 4, online: true }], {
        clanId,
        name,
      }),
    );
    await store(board(1, clans), ...rosters);
    const shown = ["Owls", "Owls", "Owls", "Owls", "\u041Ewls", "25"];
    expect(namesOf(await readBoard())).toEqual(shown);
    const pages = await Promise.all(
      clans.map(async (clan) => (await get(`/clans/${idOf(clan)}`, staff))[1]),
    );
    expect(pages).toEqual(
      clans.map((clan, place) =>
        expect.objectContaining({
          clan: expect.objectContaining({ externalId: idOf(clan), name: shown[place] }),
          members: [expect.objectContaining({ steamId: `7656119800000000${place}` })],
        }),
      ),
    );
  });

  it("answers 404 for an id that no clan can have", async () => {
    for (const name of ["nobody", "1-2", `${serverId}-17-5`, "99999999999-1-1", "1-2-3-4"]) {
      expect((await get(`/clans/${name}`))[0]).toBe(404);
    }
  });

  it("hides its members from users without a linked Steam account", async () => {
    await store(board(1, [{ ...owls, ...onBoard }]), roster(2, members));
    const clan = shownOwls({ memberCount: 2, lastSeenAt: iso(2) });
    const hidden = [200, { clan, members: [], hidden: true, audience: "player" }];
    expect(await get(`/clans/${idOf(owls)}`)).toEqual(hidden);
    expect(await get(`/clans/${idOf(owls)}`, await signIn(server))).toEqual(hidden);
  });

  it("has no member online while its server is off", async () => {
    await store(board(1, [{ ...owls, ...onBoard }]), roster(2, members));
    await comeOnline();
    const shown = (onlineCount: number, isOnline: boolean) => ({
      clan: { onlineCount },
      members: [
        { ...anna, online: isOnline },
        { ...bert, online: false },
      ],
    });
    expect(await readOwls(staff)).toMatchObject(shown(1, true));
    await changeSurvivalSource(server, serverId, { pluginConnected: false });
    expect(await readOwls(staff)).toMatchObject(shown(0, false));
    expect(await readBoard()).toMatchObject({ clans: [{ onlineCount: 0 }] });
  });

  it("shows its members to players, and its message only to its members and staff", async () => {
    await comeOnline();
    await store(board(1, [{ ...owls, ...onBoard }]), roster(2, members));
    const clan = shownOwls({ memberCount: 2, lastSeenAt: iso(2), onlineCount: 1, leader: anna });
    const leader = { roleId: 1, role: "Leader", roleRank: 1, joinedAt: iso(1) };
    const member = { roleId: 4, role: "Member", roleRank: 5, joinedAt: iso(2) };
    const shown = {
      members: [
        { ...anna, ...leader, lastSeenAt: iso(10), online: true },
        { ...bert, ...member, lastSeenAt: iso(9), online: false },
      ],
      hidden: false,
      audience: "player",
    };
    const stranger = await signInLinked("76561198000000009");
    expect(await get(`/clans/${idOf(owls)}`, stranger)).toEqual([200, { clan, ...shown }]);
    const withMotd = [200, { clan: { ...clan, motd: "meet at F12" }, ...shown }];
    expect(await get(`/clans/${idOf(owls)}`, await signInLinked(bert.steamId))).toEqual(withMotd);
    expect(await get(`/clans/${idOf(owls)}`, staff)).toEqual(withMotd);
    expect(await readBoard()).toMatchObject({ clans: [clan] });
  });

  it("has the members, the name and the end that the events of the game report", async () => {
    await store(happened("created", 1), roster(2, members));
    await store(happened("member.left", 3, { member: bert }));
    expect((await readOwls(staff)).clan).toMatchObject({ memberCount: 1, leader: anna });
    await store(
      happened("member.added", 4, { member: bert }),
      happened("changed", 5, { name: "Eagles" }),
    );
    expect((await readOwls(staff)).clan).toMatchObject({ memberCount: 2, name: "Eagles" });
    await store(happened("disbanded", 6));
    expect(await readOwls(staff)).toMatchObject({ clan: { disbandedAt: iso(6) }, members: [] });
    expect(namesOf(await readBoard())).toEqual([]);
  });

  it("is updated by events in the order of arrival, whatever their times are", async () => {
    await store(happened("created", 1), roster(5, members));
    await store(happened("member.kicked", 3, { member: bert, name: "Chicks" }));
    expect((await readOwls(staff)).clan).toMatchObject({ memberCount: 1, name: "Chicks" });
    await store(roster(2, members));
    expect((await readOwls(staff)).clan).toMatchObject({ memberCount: 2 });
  });
});
