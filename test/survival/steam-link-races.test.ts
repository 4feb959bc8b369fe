import { Op } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { SurvivalSimulator } from "../simulator/survival/simulator.ts";
import { createSurvivalSimulatorPool } from "../simulator/survival/starting.ts";
import { forgetAllLimits } from "../support/accounts/rate-limits.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { activityOf } from "../support/factories/site.ts";
import { changeSurvivalSource } from "../support/factories/survival.ts";
import { callRoute, retryAfter } from "../support/http/call.ts";
import {
  countStatuses,
  repeatRace,
  type Race,
  RaceServers,
  makeList,
} from "../support/races/race.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { ingestLinkCodes, mintUnreportedCode } from "../support/survival/link-codes.ts";
import { linkSurvivalServer } from "../support/survival/linked-survival.ts";

const simulators = createSurvivalSimulatorPool();
const environment = { RL_SURVIVAL_LINK_MAX: "4", RL_SURVIVAL_LINK_IP_MAX: "6" };

let server: TestServer;
let track: RaceServers;
let simulator: SurvivalSimulator;
let serverId: number;
/** A second survival server of the site. It reports false codes. */
let [hostile, hostileId]: [SurvivalSimulator | undefined, number] = [undefined, 0];
beforeAll(async () => {
  server = await startTestServer({ environment });
  track = await RaceServers.start(server.database, environment);
  simulator = await simulators.start({ seed: 1 });
  hostile = await simulators.start({ seed: 2 });
  serverId = (await linkSurvivalServer(server, simulator, { name: "Oak" })).id;
  hostileId = (await linkSurvivalServer(server, hostile, { name: "Elm" })).id;
  for (const id of [serverId, hostileId]) {
    await changeSurvivalSource(server, id, { state: "connected" });
  }
});
afterAll(async () => {
  await track.stop();
  await server.stop();
  await simulators.stopAll();
});

/** Deletes all links. @returns a player whose Steam account is not linked */
async function freshPlayer(): Promise<string> {
  await deleteAll(server, "SteamLink", "SurvivalLinkCode");
  await forgetAllLimits(server);
  const [player] = simulator.world.players.values();
  return player?.steamId ?? "";
}

async function mint(steamId: string): Promise<string> {
  const { code, told } = mintUnreportedCode(simulator, steamId);
  await ingestLinkCodes(server, serverId, [told]);
  return code;
}

const enter = (code: string, { headers }: SignedIn): Race => ({
  route: "POST /player/survival/link",
  body: { code },
  headers,
});

/** Reads the linked Steam accounts of a user in each process. */
const linksOf = async ({ headers }: SignedIn) => {
  const answers = await track.inEach({ route: "GET /player/survival/link", headers });
  return answers.map(({ body }) =>
    (body as { links: { steamId: string }[] }).links.map(({ steamId }) => steamId),
  );
};

const logged = ({ userId }: SignedIn) => {
  const ofLinks = { actorId: userId, action: { [Op.startsWith]: "survival.link." } };
  return activityOf(server, ofLinks, ["action"]);
};

const steamIdIn = (body: unknown): string | undefined => (body as { steamId?: string }).steamId;

async function inTurn<T>(makes: readonly (() => Promise<T>)[]): Promise<T[]> {
  const made: T[] = [];
  for (const make of makes) made.push(await make());
  return made;
}

const asked = () =>
  simulator.received.commands.filter(({ path }) => path === "/v1/link/redeem").length;

describe("wrong link codes", () => {
  it(
    "count toward one limit of the user in both processes, and are sent to no game server",
    repeatRace(async () => {
      await freshPlayer();
      const anna = await signIn(server);
      const before = asked();
      const answers = await track.run(makeList(12, () => enter("WRONG", anna)));
      const { 400: wrong = 0, 429: refused = 0 } = countStatuses(answers);
      expect(wrong + refused).toBe(12);
      expect(wrong).toBeLessThanOrEqual(4);
      const { headers } = anna;
      const again = () =>
        callRoute(server, "POST /player/survival/link", { body: { code: "WRONG" }, headers });
      for (const _ of makeList(4 - wrong, () => 0)) await again();
      const answered = await again();
      expect(answered.status).toBe(429);
      expect(retryAfter(answered)).toBeGreaterThan(60);
      expect(countStatuses(await track.inEach(enter("WRONG", anna)))).toEqual({ 429: 2 });
      expect(asked() - before).toBe(0);
    }),
  );
});

describe("a hostile server", () => {
  it(
    "receives none of thirty link codes of another server, whatever the hostile server announces",
    repeatRace(async () => {
      await freshPlayer();
      const players = [...simulator.world.players.values()].map(({ steamId }) => steamId);
      const users = await Promise.all(players.map(() => signIn(server)));
      const owners = makeList(30, (at) => at % players.length);
      const minted = owners.map((owner) => mintUnreportedCode(simulator, players[owner] ?? ""));
      const told = minted.map((one) => one.told);
      await ingestLinkCodes(server, serverId, told);
      // The hostile server repeats five codes of the other server, and reports hashes of codes that
      // it does not know.
      const invented = told.map((one) => ({ ...one, salt: "x".repeat(22) }));
      await ingestLinkCodes(server, hostileId, [...told.slice(0, 5), ...invented]);
      const before = hostile?.received.commands.length;
      const entered = minted.map(({ code }, at) => enter(code, users[owners[at] ?? 0] as SignedIn));
      const linked: unknown[] = [];
      for (let from = 0; from < entered.length; from += 4) {
        await forgetAllLimits(server);
        const answers = await track.run(entered.slice(from, from + 4));
        linked.push(...answers.map(({ status, body }) => steamIdIn(body) ?? status));
      }
      expect(hostile?.received.commands.length).toBe(before);
      // A code that both servers have reported is invalid.
      expect(linked).toEqual(owners.map((owner, at) => (at < 5 ? 400 : players[owner])));
    }, 2),
  );
});

describe("a Steam account", () => {
  it(
    "is linked to one user, even if two users enter its codes in two processes",
    repeatRace(async () => {
      const steamId = await freshPlayer();
      const users = [await signIn(server), await signIn(server)] as const;
      // Each of the two users sends requests to both processes.
      const userAt = (index: number): SignedIn => (index % 4 < 2 ? users[0] : users[1]);
      const codes = await inTurn(makeList(6, () => () => mint(steamId)));
      const answers = await track.run(codes.map((code, index) => enter(code, userAt(index))));
      const links = await storedRows(server.context.models.SteamLink, ["userId"], { steamId });
      expect(links).toHaveLength(1);
      const isOwner = ({ userId }: SignedIn) => userId === links[0]?.userId;
      const { 201: linked = 0, 409: elsewhere = 0, 429: refused = 0 } = countStatuses(answers);
      expect(linked).toBeGreaterThan(0);
      expect(linked + elsewhere + refused).toBe(6);
      const astray = answers.filter(({ status }, index) =>
        isOwner(userAt(index)) ? status === 409 : status === 201,
      );
      expect(astray).toEqual([]);
      for (const user of users) {
        const own = isOwner(user) ? [steamId] : [];
        expect(await linksOf(user)).toEqual([own, own]);
        const created = (await logged(user)).filter(
          (line) => (line as { action: string }).action === "survival.link.created",
        );
        expect(created).toHaveLength(own.length);
      }
    }, 3),
  );

  it(
    "gets one link if one code is entered four times at once",
    repeatRace(async () => {
      const steamId = await freshPlayer();
      const anna = await signIn(server);
      const code = await mint(steamId);
      const answers = await track.run(makeList(4, () => enter(code, anna)));
      expect(countStatuses(answers)).toEqual({ 201: 4 });
      expect(await logged(anna)).toEqual([{ action: "survival.link.created" }]);
      expect(await linksOf(anna)).toEqual([[steamId], [steamId]]);
    }),
  );
});
