import { Op } from "sequelize";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { clockNow } from "../../models/queries/clock.ts";
import type { SurvivalServer } from "../../models/survival/survival-server.ts";
import type { SurvivalSimulator } from "../simulator/survival/simulator.ts";
import { createSurvivalSimulatorPool } from "../simulator/survival/starting.ts";
import { forgetAllLimits } from "../support/accounts/rate-limits.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { requireDescribedBodies } from "../support/bridge/described-bodies.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { activityOf } from "../support/factories/site.ts";
import { changeSurvivalSource } from "../support/factories/survival.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { loseAnswer } from "../support/plugin/over-sidecar.ts";
import { makeList } from "../support/races/race.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import {
  ingestLinkCodes,
  mintUnreportedCode,
  linkCodePayload,
} from "../support/survival/link-codes.ts";
import { linkSurvivalServer } from "../support/survival/linked-survival.ts";
import { changeSurvivalVisibility } from "../support/survival/survival-visibility.ts";

const simulators = createSurvivalSimulatorPool();
const environment = { RL_SURVIVAL_LINK_MAX: "4", RL_SURVIVAL_LINK_IP_MAX: "6" };

let server: TestServer;
/** Two games. Link codes are issued in the first one. */
let [oak, elm]: SurvivalSimulator[] = [];
let [atOak, atElm]: SurvivalServer[] = [];
let anna: SignedIn;
let bert: SignedIn;

beforeAll(async () => {
  server = await startTestServer({ environment });
});
afterAll(() => server.stop());

beforeEach(async () => {
  await deleteAll(server, "SurvivalServer", "SteamLink", "RejectedFrame");
  await forgetAllLimits(server);
  [oak, elm] = await Promise.all([simulators.start({ seed: 1 }), simulators.start({ seed: 2 })]);
  atOak = await linkSurvivalServer(server, game(oak), { name: "Oak" });
  atElm = await linkSurvivalServer(server, game(elm), { name: "Elm" });
  for (const { id } of [game(atOak), game(atElm)]) {
    await changeSurvivalSource(server, id, { state: "connected" });
  }
  [anna, bert] = [await signIn(server), await signIn(server)];
});
afterEach(async () => {
  await simulators.stopAll();
  for (const one of [oak, elm]) requireDescribedBodies("rust", game(one).received.commands);
});

function game<T>(given: T | undefined): T {
  if (given === undefined) throw new Error("there is none");
  return given;
}

const players = (simulator = oak) => [...game(simulator).world.players.values()];

/** Returns a player of a game by number. By default it is the first game. */
const player = (at = 0, simulator = oak) => {
  const { steamId, name } = game(players(simulator)[at]);
  return { steamId, name };
};

/** Issues a link code in the first game and ingests its event. */
async function mint(steamId = player().steamId): Promise<string> {
  const { code, told } = mintUnreportedCode(game(oak), steamId);
  await hear(told);
  return code;
}

const hear = (told: object, from = atOak, given: object = {}) =>
  ingestLinkCodes(server, game(from).id, [told], given);

const enter = (code: string, { headers } = anna) =>
  callRoute(server, "POST /player/survival/link", { body: { code }, headers });
const linksOf = async ({ headers } = anna) =>
  statusAndBodyOf(await callRoute(server, "GET /player/survival/link", { headers }));
const unlink = (steamId: string, { headers } = anna) =>
  callRoute(server, `DELETE /player/survival/link/${steamId}`, { headers });

const unknown = [400, { error: "Unknown or expired code" }];
const elsewhere = [409, { error: "The Steam account is linked to another user" }];
const noAnswer = [503, { error: "A game server cannot be reached: try again" }];

const asked = (simulator = oak) =>
  game(simulator).received.commands.filter(({ path }) => path === "/v1/link/redeem").length;

const fail = (simulator: SurvivalSimulator | undefined, code = "SHARD_DOWN") =>
  game(simulator).faults.trigger("status", {
    method: "POST",
    path: "/v1/link/redeem",
    status: 503,
    code,
    times: 0,
  });

const logged = (user = anna) => {
  const ofLinks = { actorId: user.userId, action: { [Op.startsWith]: "survival.link." } };
  return activityOf(server, ofLinks, ["action", "detail"]);
};

describe("a link code of a game", () => {
  it("links the Steam account of its player to the caller, who then counts as a player", async () => {
    const [{ steamId }, name] = [player(), "Red Baron"];
    game(oak).turn({ turn: "rename", steamId, name: `<b>${name}</b>` });
    const { id } = game(atOak);
    await changeSurvivalVisibility(server, { profiles: "player" });
    const profiles = () =>
      callRoute(server, "GET /public/survival/profiles", { headers: anna.headers });
    expect((await profiles()).status).toBe(403);
    expect(statusAndBodyOf(await enter(` ${await mint(steamId)} `))).toEqual([
      201,
      { steamId, name, linkedAt: anyTime },
    ]);
    expect((await profiles()).status).toBe(200);
    await changeSurvivalVisibility(server, { profiles: null });
    expect(await linksOf()).toEqual([
      200,
      { links: [{ steamId, name, linkedAt: anyTime, server: { id, name: "Oak" } }] },
    ]);
    expect(await linksOf(bert)).toEqual([200, { links: [] }]);
    expect(await logged()).toEqual([
      { action: "survival.link.created", detail: { steamId, serverId: id } },
    ]);
  });

  it("gets the same answer again while the account is linked, and links no account after the account was unlinked", async () => {
    const { steamId } = player();
    const code = await mint();
    const first = statusAndBodyOf(await enter(code));
    game(oak).turn({ turn: "rename", steamId, name: "Other" });
    expect(statusAndBodyOf(await enter(code.toLowerCase()))).toEqual(first);
    expect(asked()).toBe(1);
    expect((await unlink(steamId)).status).toBe(200);
    expect(statusAndBodyOf(await enter(code))).toEqual(unknown);
    expect([asked(), (await linksOf())[1]]).toEqual([1, { links: [] }]);
  });

  it("works once, and a second code of the same player changes only the name", async () => {
    const { steamId } = player();
    const code = await mint();
    const [, first] = statusAndBodyOf(await enter(code));
    expect(statusAndBodyOf(await enter(code, bert))).toEqual(unknown);
    game(oak).turn({ turn: "rename", steamId, name: "<b>Newer</b>" });
    const again = statusAndBodyOf(await enter(await mint()));
    expect(again).toEqual([201, { ...(first as object), name: "Newer" }]);
    expect(await logged()).toHaveLength(1);
  });

  it("can be sent again if its answer was lost", async () => {
    loseAnswer(game(oak), { method: "POST", path: "/v1/link/redeem" });
    const code = await mint();
    expect(statusAndBodyOf(await enter(code))).toEqual(noAnswer);
    expect((await enter(code)).status).toBe(201);
  });

  it.each([
    ["the caller", () => anna],
    ["another user", () => bert],
  ])(
    "links no account if the game answers after %s linked and unlinked the account by another code",
    async (_, whose) => {
      const { steamId } = player();
      const [late, second] = [await mint(), await mint()];
      game(oak).faults.trigger("hold", { path: "/v1/link/redeem" });
      const answer = enter(late);
      await waitUntil("the code is asked for", () => asked() === 1);
      expect((await enter(second, whose())).status).toBe(201);
      expect((await unlink(steamId, whose())).status).toBe(200);
      game(oak).faults.trigger("release");
      expect(statusAndBodyOf(await answer)).toEqual(unknown);
      expect([await linksOf(anna), await linksOf(bert)]).toEqual([
        [200, { links: [] }],
        [200, { links: [] }],
      ]);
      expect((await logged()).map(({ action }) => action)).toEqual(
        whose() === anna ? ["survival.link.created", "survival.link.removed"] : [],
      );
    },
  );

  it("links no account if the game answers after the code expired", async () => {
    const code = await mint();
    game(oak).faults.trigger("hold", { path: "/v1/link/redeem" });
    const answer = enter(code);
    await waitUntil("the code is asked for", () => asked() === 1);
    await server.context.models.SurvivalLinkCode.update({ expiresAt: clockNow() }, { where: {} });
    game(oak).faults.trigger("release");
    expect(statusAndBodyOf(await answer)).toEqual(unknown);
    expect((await linksOf())[1]).toEqual({ links: [] });
  });

  it("is used up if the caller enters it for an account that is linked to another user", async () => {
    await enter(await mint());
    const code = await mint();
    expect(statusAndBodyOf(await enter(code, bert))).toEqual(elsewhere);
    expect(statusAndBodyOf(await enter(code))).toEqual(unknown);
    expect(await logged(bert)).toEqual([
      {
        action: "survival.link.refused",
        detail: { steamId: player().steamId, serverId: atOak?.id },
      },
    ]);
    expect((await linksOf(bert))[1]).toEqual({ links: [] });
  });

  it("is answered 400 if it is missing, empty, too long or not a string", async () => {
    for (const body of [{}, { code: "" }, { code: "  " }, { code: "x".repeat(65) }, { code: 1 }]) {
      const { headers } = anna;
      expect(
        (await callRoute(server, "POST /player/survival/link", { body, headers })).status,
      ).toBe(400);
    }
    expect(asked()).toBe(0);
    expect(
      (await callRoute(server, "POST /player/survival/link", { body: { code: "A" } })).status,
    ).toBe(401);
  });
});

const changeServer = async (of: SurvivalServer | undefined, body: object) => {
  const { headers } = await signIn(server, { role: "admin" });
  return callRoute(server, `PUT /admin/survival/servers/${game(of).id}`, { headers, body });
};

describe("the game server that checks a link code", () => {
  it("is only the server that announced the code", async () => {
    await hear(linkCodePayload("OTHER"), atElm);
    expect((await enter(await mint())).status).toBe(201);
    expect([asked(oak), asked(elm)]).toEqual([1, 0]);
  });

  it("does not exist if no server announced the code, although a game knows it", async () => {
    await hear(linkCodePayload("OTHER"), atElm);
    expect(
      statusAndBodyOf(await enter(mintUnreportedCode(game(oak), player().steamId).code)),
    ).toEqual(unknown);
    expect([asked(oak), asked(elm)]).toEqual([0, 0]);
  });

  it("does not exist if two servers announced the code, and the log tells staff the reason", async () => {
    const code = await mint();
    await hear(linkCodePayload(code), atElm);
    expect(statusAndBodyOf(await enter(code))).toEqual(unknown);
    expect([asked(oak), asked(elm)]).toEqual([0, 0]);
    const serverIds = [game(atOak).id, game(atElm).id];
    expect(await logged()).toEqual([
      {
        action: "survival.link.refused",
        detail: { serverIds, reason: "several servers claim that they created the code" },
      },
    ]);
  });

  it.each([
    [
      "that has expired by the clock of the site",
      { at: Date.now() - 400_000, expiresAt: Date.now() - 100_000 },
      { replay: true },
    ],
    ["whose lifetime is zero", { expiresAt: 0 }, {}],
  ])("does not exist for a code %s", async (_what, lifetime, given) => {
    await hear(linkCodePayload("WORN", lifetime), atOak, given);
    expect(statusAndBodyOf(await enter("WORN"))).toEqual(unknown);
    expect(asked()).toBe(0);
  });

  it("is asked about a code for ten minutes at most, even if it announces the code again", async () => {
    const told = linkCodePayload("LONG", { expiresAt: Date.now() + 3_600_000 });
    await hear(told);
    const endsAt = async () =>
      storedRows(server.context.models.SurvivalLinkCode, ["expiresAt"], {});
    const [first] = await endsAt();
    expect(game(first).expiresAt.valueOf()).toBeLessThan(Date.now() + 605_000);
    await hear(told);
    expect(await endsAt()).toEqual([first]);
  });

  it("announces codes, and the site stores neither a code nor the hash that was sent", async () => {
    const { code, told } = mintUnreportedCode(game(oak), player().steamId);
    await hear(told);
    const [kept] = await storedRows(server.context.models.SurvivalLinkCode, ["salt", "digest"], {});
    const { hash } = told as { hash: string };
    expect(JSON.stringify(kept)).not.toContain(hash);
    expect(JSON.stringify(kept)).not.toContain(code);
    await hear({ ...told, at: "now" });
    const [refused] = await storedRows(server.context.models.RejectedFrame, ["excerpt"], {});
    expect(refused).toEqual({ excerpt: "" });
  });

  it("does not exist if the plugin sends no hash, which staff see until it sends one", async () => {
    const { code, told } = mintUnreportedCode(game(oak), player().steamId);
    const { salt: _salt, hash: _hash, ...old } = told as Record<string, unknown>;
    await hear(old);
    expect(statusAndBodyOf(await enter(code))).toEqual(unknown);
    expect(asked()).toBe(0);
    expect(await codesOf(atOak)).toEqual({
      lastAt: anyTime,
      problem: "The plugin sends no hash of its codes. Update it.",
    });
    await mint();
    expect(await codesOf(atOak)).toEqual({ lastAt: anyTime, problem: null });
    expect(await codesOf(atElm)).toEqual({ lastAt: null, problem: null });
  });

  it.each([
    ["not listed", { listed: false }, "The server is not listed."],
    [
      "closed to links",
      { acceptsLinks: false },
      "The server does not accept links: acceptsLinks is off.",
    ],
    ["disabled", { enabled: false }, "The server is not enabled."],
  ])(
    "is never a server that is %s, neither before the code is entered nor while it is checked",
    async (_what, off, problem) => {
      const codes = [await mint(), await mint()] as const;
      game(oak).faults.trigger("hold", { path: "/v1/link/redeem" });
      const answer = enter(codes[0]);
      await waitUntil("the code is asked for", () => asked() === 1);
      expect((await changeServer(atOak, off)).status).toBe(200);
      game(oak).faults.trigger("release");
      expect(statusAndBodyOf(await answer)).toEqual(unknown);
      expect(statusAndBodyOf(await enter(codes[1]))).toEqual(unknown);
      expect([asked(), (await linksOf())[1]]).toEqual([1, { links: [] }]);
      expect(await codesOf(atOak)).toEqual({ lastAt: anyTime, problem });
    },
  );

  it("is used again after it was unlisted only if an administrator allows links", async () => {
    await changeServer(atOak, { listed: false });
    expect(statusAndBodyOf(await changeServer(atOak, { acceptsLinks: true }))).toEqual([
      400,
      {
        error: "Validation failed",
        errors: [
          {
            path: "acceptsLinks",
            message: "acceptsLinks must be false while the server is not listed",
          },
        ],
      },
    ]);
    await changeServer(atOak, { listed: true });
    expect(statusAndBodyOf(await enter(await mint()))).toEqual(unknown);
    await changeServer(atOak, { acceptsLinks: true });
    expect((await enter(await mint())).status).toBe(201);
  });

  it("leads to 503 if it does not answer, or if no server that accepts links is connected", async () => {
    fail(oak);
    const answered = await enter(await mint());
    expect(statusAndBodyOf(answered)).toEqual(noAnswer);
    expect(answered.headers.get("retry-after")).toBe("10");
    await changeSurvivalSource(server, game(atOak).id, { state: "reconnecting" });
    expect(statusAndBodyOf(await enter("WRONG"))).toEqual(unknown);
    await changeServer(atElm, { acceptsLinks: false });
    expect(statusAndBodyOf(await enter("WRONG"))).toEqual(noAnswer);
  });

  it("links no account if the server is deleted during the check", async () => {
    game(oak).faults.trigger("hold", { method: "POST", path: "/v1/link/redeem" });
    const answer = enter(await mint());
    await waitUntil("the code is used up", () => game(oak).deeds.of("link.redeemed").length === 1);
    await game(atOak).destroy();
    game(oak).faults.trigger("release");
    expect(statusAndBodyOf(await answer)).toEqual(unknown);
    expect((await linksOf())[1]).toEqual({ links: [] });
  });
});

async function codesOf(of: SurvivalServer | undefined): Promise<unknown> {
  const { headers } = await signIn(server, { role: "admin" });
  const { body } = await callRoute(server, `GET /admin/survival/servers/${game(of).id}`, {
    headers,
  });
  return (body as { server: { linkCodes: unknown } }).server.linkCodes;
}

describe("wrong link codes", () => {
  it("count toward one limit if several users enter them from one address", async () => {
    for (const _ of makeList(3, () => 0)) {
      expect((await enter("WRONG")).status).toBe(400);
      expect((await enter("WRONG", bert)).status).toBe(400);
    }
    expect((await enter("WRONG", await signIn(server))).status).toBe(429);
  });

  it("count, while correct codes and codes whose server did not answer do not", async () => {
    for (const at of makeList(5, (index) => index)) {
      expect((await enter(await mint(player(at).steamId))).status).toBe(201);
    }
    const code = await mint(player(6).steamId);
    fail(oak);
    for (const _ of makeList(8, () => 0)) expect((await enter(code)).status).toBe(503);
    expect((await enter("WRONG")).status).toBe(400);
  });

  it("count even while no server is connected", async () => {
    for (const linked of [atOak, atElm]) {
      await changeSurvivalSource(server, game(linked).id, { state: "reconnecting" });
    }
    for (const _ of makeList(4, () => 0)) expect((await enter("WRONG")).status).toBe(503);
    expect((await enter("WRONG")).status).toBe(429);
  });
});

describe("a Steam account", () => {
  it("can be linked together with other accounts of the same user", async () => {
    await enter(await mint());
    await enter(await mint(player(1).steamId));
    const [, body] = await linksOf();
    const linked = (body as { links: { steamId: string }[] }).links.map(({ steamId }) => steamId);
    expect(linked).toEqual([player().steamId, player(1).steamId]);
  });
});

describe("unlinking a Steam account", () => {
  it("removes the link of the caller, and another user may link the account", async () => {
    const { steamId } = player();
    await enter(await mint());
    expect(statusAndBodyOf(await unlink(steamId))).toEqual([200, { steamId, unlinked: true }]);
    expect((await linksOf())[1]).toEqual({ links: [] });
    expect((await logged())[1]).toEqual({ action: "survival.link.removed", detail: { steamId } });
    expect((await enter(await mint(), bert)).status).toBe(201);
  });

  it("answers 404 for an account of another user or of nobody, and 400 for a malformed id", async () => {
    const { steamId } = player();
    await enter(await mint());
    for (const id of [steamId, "76561198999999999"]) {
      expect(statusAndBodyOf(await unlink(id, bert))).toEqual([
        404,
        { error: "That Steam account is not linked to you" },
      ]);
    }
    expect((await unlink("__proto__")).status).toBe(400);
    expect((await linksOf())[1]).toMatchObject({ links: [{ steamId }] });
  });
});
