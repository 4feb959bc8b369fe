import { Op } from "sequelize";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import type { SurvivalServer } from "../../models/survival/survival-server.ts";
import type { SurvivalSimulator } from "../simulator/survival/simulator.ts";
import { survivalSimulators } from "../simulator/survival/starting.ts";
import { forgetAllLimits } from "../support/accounts/rate-limits.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { until } from "../support/clock/wait.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { activityOf } from "../support/factories/site.ts";
import { changeSurvivalServers } from "../support/factories/survival.ts";
import { call, outcome } from "../support/http/call.ts";
import { times } from "../support/races/race.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { linkSurvivalServer } from "../support/survival/linked-survival.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";
import { changeSurvivalVisibility } from "../support/survival/survival-visibility.ts";

const simulators = survivalSimulators();
const environment = { RL_SURVIVAL_LINK_MAX: "4", RL_SURVIVAL_LINK_IP_MAX: "6" };

let server: TestServer;
/** Two games, of which codes are made on the first. */
let [oak, elm]: SurvivalSimulator[] = [];
let [atOak, atElm]: SurvivalServer[] = [];
let anna: SignedIn;
let bert: SignedIn;

beforeAll(async () => {
  server = await startTestServer({ environment });
});
afterAll(() => server.stop());

beforeEach(async () => {
  await deleteAll(server, "SurvivalServer", "SteamLink");
  await forgetAllLimits(server);
  [oak, elm] = await Promise.all([simulators.start({ seed: 1 }), simulators.start({ seed: 2 })]);
  atOak = await linkSurvivalServer(server, game(oak), { name: "Oak" });
  atElm = await linkSurvivalServer(server, game(elm), { name: "Elm" });
  [anna, bert] = [await signIn(server), await signIn(server)];
});
afterEach(() => simulators.stopAll());

function game<T>(given: T | undefined): T {
  if (given === undefined) throw new Error("there is none");
  return given;
}

const players = (simulator = oak) => [...game(simulator).world.players.values()];

/** Somebody of the first game, by number. */
const player = (at = 0, simulator = oak) => {
  const { steamId, name } = game(players(simulator)[at]);
  return { steamId, name };
};

/** A code made in a game, of which ingest hears where it listens. */
async function mint(steamId = player().steamId, heardBy?: SurvivalServer): Promise<string> {
  const minted = game(oak).turn({ turn: "mintCode", steamId }) as { code: string };
  if (heardBy) await hear(heardBy);
  return minted.code;
}

const hear = (from: SurvivalServer, given: object = {}) => {
  const frame = survivalFrame("link.minted", { at: Date.now(), expiresAt: Date.now() }, given);
  return storeSurvivalFrames(server.context, from.id, [frame]);
};

const enter = (code: string, { headers } = anna) =>
  call(server, "POST /player/survival/link", { body: { code }, headers });
const linksOf = async ({ headers } = anna) =>
  outcome(await call(server, "GET /player/survival/link", { headers }));
const unlink = (steamId: string, { headers } = anna) =>
  call(server, `DELETE /player/survival/link/${steamId}`, { headers });

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

describe("a code of the game", () => {
  it("links its player's Steam account to the caller, who is a player from then on", async () => {
    const [{ steamId }, name] = [player(), "Red Baron"];
    game(oak).turn({ turn: "rename", steamId, name: `<b>${name}</b>` });
    const { id } = game(atOak);
    await changeSurvivalVisibility(server, { profiles: "player" });
    const profiles = () => call(server, "GET /public/survival/profiles", { headers: anna.headers });
    expect((await profiles()).status).toBe(403);
    expect(outcome(await enter(` ${await mint(steamId)} `))).toEqual([
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

  it("is good once, and its name alone is what a second code of the owner changes", async () => {
    const { steamId } = player();
    const code = await mint();
    const [, first] = outcome(await enter(code));
    expect(outcome(await enter(code, bert))).toEqual(unknown);
    game(oak).turn({ turn: "rename", steamId, name: "<b>Newer</b>" });
    const again = outcome(await enter(await mint()));
    expect(again).toEqual([201, { ...(first as object), name: "Newer" }]);
    expect(await logged()).toHaveLength(1);
  });

  it("whose answer was lost may be sent again", async () => {
    game(oak).faults.trigger("cut", { method: "POST", path: "/v1/link/redeem", times: 1 });
    const code = await mint(player().steamId, atOak);
    expect(outcome(await enter(code))).toEqual(noAnswer);
    expect((await enter(code)).status).toBe(201);
  });

  it.each([
    ["the caller", () => anna],
    ["another user", () => bert],
  ])(
    "whose answer comes late links nothing that %s linked and unlinked meanwhile",
    async (_, whose) => {
      const { steamId } = player();
      const [late, second] = [await mint(), await mint()];
      game(oak).faults.trigger("hold", { path: "/v1/link/redeem" });
      const answer = enter(late);
      await until("the code is asked for", () => asked() === 1);
      expect((await enter(second, whose())).status).toBe(201);
      expect((await unlink(steamId, whose())).status).toBe(200);
      game(oak).faults.trigger("release");
      expect(outcome(await answer)).toEqual(unknown);
      expect([await linksOf(anna), await linksOf(bert)]).toEqual([
        [200, { links: [] }],
        [200, { links: [] }],
      ]);
      expect((await logged()).map(({ action }) => action)).toEqual(
        whose() === anna ? ["survival.link.created", "survival.link.removed"] : [],
      );
    },
  );

  it("is used up by a caller to whom the account does not belong", async () => {
    await enter(await mint());
    const code = await mint();
    expect(outcome(await enter(code, bert))).toEqual(elsewhere);
    expect(outcome(await enter(code))).toEqual(unknown);
    expect(await logged(bert)).toEqual([
      {
        action: "survival.link.refused",
        detail: { steamId: player().steamId, serverId: atOak?.id },
      },
    ]);
    expect((await linksOf(bert))[1]).toEqual({ links: [] });
  });

  it("is 400 when it is no text, empty, too long, or of a body that is none", async () => {
    for (const body of [{}, { code: "" }, { code: "  " }, { code: "x".repeat(65) }, { code: 1 }]) {
      const { headers } = anna;
      expect((await call(server, "POST /player/survival/link", { body, headers })).status).toBe(
        400,
      );
    }
    expect(asked()).toBe(0);
    expect((await call(server, "POST /player/survival/link", { body: { code: "A" } })).status).toBe(
      401,
    );
  });
});

describe("the servers that are asked", () => {
  it("are at first those that made a code in the last six minutes", async () => {
    expect((await enter(await mint(player().steamId, atOak))).status).toBe(201);
    expect([asked(oak), asked(elm)]).toEqual([1, 0]);
  });

  it("are the others when none of those knows it", async () => {
    await hear(game(atElm));
    expect((await enter(await mint())).status).toBe(201);
    expect([asked(oak), asked(elm)]).toEqual([1, 1]);
  });

  it("are none first for a code that was made long ago and told late", async () => {
    const replay = { replay: true };
    const long = Date.now() - 7 * 60_000;
    const frame = survivalFrame("link.minted", { at: long, expiresAt: long }, replay);
    await storeSurvivalFrames(server.context, game(atElm).id, [frame]);
    fail(elm);
    expect(outcome(await enter("WRONG"))).toEqual(unknown);
  });

  it("are 503 when one that made a code lately did not answer, and 400 when another did not", async () => {
    await hear(game(atOak));
    fail(oak);
    expect(outcome(await enter("WRONG"))).toEqual(noAnswer);
    game(oak).faults.clear();
    fail(elm);
    expect(outcome(await enter("WRONG"))).toEqual(unknown);
  });

  it("are 503 when none answers, and when there is none", async () => {
    fail(oak);
    fail(elm);
    const answered = await enter("WRONG");
    expect(outcome(answered)).toEqual(noAnswer);
    expect(answered.headers.get("retry-after")).toBe("10");
    await changeSurvivalServers(server, { enabled: false });
    expect(outcome(await enter("WRONG"))).toEqual(noAnswer);
  });

  it("answer in time beside one that hangs, and one whose token cannot be read", async () => {
    game(elm).faults.trigger("hang", { method: "POST", path: "/v1/link/redeem", times: 0 });
    expect((await enter(await mint())).status).toBe(201);
    await game(atElm).update({ tokenSealed: "broken" });
    expect((await enter(await mint(player(1).steamId))).status).toBe(201);
  });

  it("lose nothing when the server is deleted in the middle", async () => {
    game(oak).faults.trigger("hold", { method: "POST", path: "/v1/link/redeem" });
    const answer = enter(await mint());
    await until("the code is used up", () => game(oak).deeds.of("link.redeemed").length === 1);
    await game(atOak).destroy();
    game(oak).faults.trigger("release");
    expect((await answer).status).toBe(201);
    expect((await linksOf())[1]).toMatchObject({ links: [{ server: null }] });
  });
});

describe("wrong codes", () => {
  it("are counted for the address of several users", async () => {
    for (const _ of times(3, () => 0)) {
      expect((await enter("WRONG")).status).toBe(400);
      expect((await enter("WRONG", bert)).status).toBe(400);
    }
    expect((await enter("WRONG", await signIn(server))).status).toBe(429);
  });

  it("are neither right ones nor those that no server was there for", async () => {
    for (const at of times(5, (index) => index)) {
      expect((await enter(await mint(player(at).steamId))).status).toBe(201);
    }
    fail(oak);
    fail(elm);
    for (const _ of times(8, () => 0)) expect((await enter("WRONG")).status).toBe(503);
    game(oak).faults.clear();
    expect((await enter("WRONG")).status).toBe(400);
  });
});

describe("one Steam account", () => {
  it("is one of several that a user may link", async () => {
    await enter(await mint());
    await enter(await mint(player(1).steamId));
    const [, body] = await linksOf();
    const linked = (body as { links: { steamId: string }[] }).links.map(({ steamId }) => steamId);
    expect(linked).toEqual([player().steamId, player(1).steamId]);
  });
});

describe("unlinking", () => {
  it("takes the account from the caller, and another may link it", async () => {
    const { steamId } = player();
    await enter(await mint());
    expect(outcome(await unlink(steamId))).toEqual([200, { steamId, unlinked: true }]);
    expect((await linksOf())[1]).toEqual({ links: [] });
    expect((await logged())[1]).toEqual({ action: "survival.link.removed", detail: { steamId } });
    expect((await enter(await mint(), bert)).status).toBe(201);
  });

  it("is 404 for an account of another, or of nobody, and 400 for what is no Steam id", async () => {
    const { steamId } = player();
    await enter(await mint());
    for (const id of [steamId, "76561198999999999"]) {
      expect(outcome(await unlink(id, bert))).toEqual([
        404,
        { error: "That Steam account is not linked to you" },
      ]);
    }
    expect((await unlink("__proto__")).status).toBe(400);
    expect((await linksOf())[1]).toMatchObject({ links: [{ steamId }] });
  });
});
