import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { clockNowPlus } from "../../models/queries/clock.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { changeIngestSource, storeClilocs } from "../support/factories/shard.ts";
import { callRoute } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { ingestTestEvents } from "../support/shard/planted-events.ts";
import { samples } from "./samples.ts";

let server: TestServer;
let admin: SignedIn;
let moderator: SignedIn;
let linked: SignedIn;

beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
  moderator = await signIn(server, { role: "moderator" });
  linked = await signIn(server, { role: "player" });
});
afterAll(() => server.stop());

/** Reads a public path. Clears the cache of answers first. */
const get = async (path: string, who?: SignedIn) => {
  server.context.keptAnswers.clear();
  const { status, body } = await callRoute(server, `GET /public${path}`, { headers: who?.headers });
  return { status, body };
};

const askToChange = (features: object) =>
  callRoute(server, "PUT /admin/shard/visibility", { headers: admin.headers, body: { features } });

const change = async (features: object) => {
  expect((await askToChange(features)).status).toBe(200);
};

describe("the public reads of a shard that was never linked", () => {
  it("answer empty data without an error", async () => {
    expect(await get("/shard/status")).toEqual({
      status: 200,
      body: {
        enabled: false,
        status: "disconnected",
        pluginConnected: false,
        lastEventAt: null,
        onlineCount: 0,
        economy: null,
      },
    });
    expect(await get("/shard/online")).toEqual({ status: 200, body: [] });
    expect(await get("/shard/presence")).toEqual({
      status: 200,
      body: { count: 0, facets: {}, regions: {} },
    });
    expect(await get("/shard/houses")).toEqual({ status: 200, body: [] });
    expect(await get("/shard/points")).toEqual({ status: 200, body: [] });
    expect(await get("/shard/ruleset")).toEqual({ status: 200, body: null });
    expect(await get("/status")).toEqual({
      status: 200,
      body: {
        site_mode: "live",
        status_message: null,
        changed_at: null,
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        capabilities: expect.any(Array),
        shard: { enabled: false, status: "disconnected" },
        survival: { servers: 0, online: 0 },
        time: anyTime,
      },
    });
  });
});

describe("the public reads of a connected shard", () => {
  const board = { ...samples["points.board"], t: 1_764_200_000_000 };
  beforeAll(async () => {
    await server.context.models.ShardLink.create({
      account: "Maple",
      accountKey: "maple",
      userId: linked.userId,
      linkedAt: new Date(),
    });
    await ingestTestEvents(server.context, [
      {
        kind: "presence.online",
        payload: {
          count: 7,
          byMap: { Malas: 5, Felucca: 2 },
          byRegion: { Luna: 5 },
          players: [
            { serial: "0x0000A001", name: "Dart", acct: "MAPLE", map: "Malas", x: 1, y: 2, z: -3 },
            { serial: "0x0000A002", name: "Unlinked", acct: "oak", map: "Malas", x: 1, y: 2, z: 0 },
          ],
        },
      },
      { kind: "economy.snapshot", payload: { accounts: 5, gold: 9_007_199_254_740_992, t: 77 } },
      {
        kind: "house.upsert",
        payload: { ...samples["house.upsert"], serial: "0x40000001", stage: "IDOC" },
      },
      {
        kind: "house.upsert",
        payload: { ...samples["house.upsert"], serial: "0x40000002", stage: "LikeNew" },
      },
      {
        kind: "points.board",
        payload: { ...board, system: "Zeta", nameString: "alpha", nameNumber: 0 },
      },
      {
        kind: "points.board",
        payload: { ...board, system: "Beta", nameString: null, nameNumber: 1 },
      },
      {
        kind: "points.board",
        payload: { ...board, system: "Empty", nameString: null, nameNumber: 0, top: [] },
      },
      { kind: "world.ruleset", payload: { ...samples["world.ruleset"], acct: "canary" } },
    ]);
    // A shard may have a text with the number 0, but that text must not name a board.
    await storeClilocs(server, { 0: "Zoo", 1: "Middle" });
  });

  it("show the state of the shard", async () => {
    expect(await get("/shard/status")).toEqual({
      status: 200,
      body: {
        enabled: true,
        status: "connected",
        pluginConnected: true,
        lastEventAt: anyTime,
        onlineCount: 7,
        economy: { accounts: 5, gold: 9_007_199_254_740_992, t: 77 },
      },
    });
  });

  it("show when the shard last reported its gold totals, even if these are unchanged", async () => {
    const economy = { accounts: 5, gold: 9_007_199_254_740_992, t: 99 };
    await ingestTestEvents(server.context, [{ kind: "economy.snapshot", payload: economy }]);
    expect((await get("/shard/status")).body).toMatchObject({ economy });
    const events = await server.context.models.ShardEvent.findAll({
      where: { kind: "economy.snapshot" },
      order: [["id", "asc"]],
    });
    expect(events.map(({ reach }) => reach)).toEqual(["public", "none"]);
  });

  it("list only linked characters, with their places for moderators and admins", async () => {
    const name = { serial: "0x0000A001", name: "Dart" };
    const place = { map: "Malas", x: 1, y: 2, z: -3 };
    expect((await get("/shard/online")).body).toEqual([name]);
    expect((await get("/shard/online", linked)).body).toEqual([name]);
    expect((await get("/shard/online", moderator)).body).toEqual([{ ...name, ...place }]);
    expect((await get("/shard/online", admin)).body).toEqual([{ ...name, ...place }]);
  });

  it("count the characters in the world", async () => {
    expect((await get("/shard/presence")).body).toEqual({
      count: 7,
      facets: { Malas: 5, Felucca: 2 },
      regions: { Luna: 5 },
    });
  });

  it("list only houses in danger of collapsing, without their owners", async () => {
    expect((await get("/shard/houses")).body).toEqual([
      {
        serial: "0x40000001",
        stage: "IDOC",
        map: "Felucca",
        x: 2312,
        y: 1150,
        z: 0,
        region: null,
        name: "An Unnamed House",
        isIdoc: true,
        updatedAt: anyTime,
      },
    ]);
  });

  it("order boards by literal name, then by cliloc, then by system", async () => {
    const { body } = await get("/shard/points");
    expect((body as { system: string }[]).map(({ system }) => system)).toEqual([
      "Zeta", // by the literal name "alpha"
      "Empty",
      "Beta", // by the cliloc "Middle"
    ]);
  });

  it("answer one board in full, and an empty board with an empty top", async () => {
    expect(await get("/shard/points/Zeta")).toEqual({
      status: 200,
      body: { ...board, system: "Zeta", nameString: "alpha", nameNumber: 0, updatedAt: anyTime },
    });
    expect((await get("/shard/points/Empty")).body).toMatchObject({ system: "Empty", top: [] });
  });

  it("answer 400 to a malformed key of a points system, and 404 to a key that was never published", async () => {
    expect(await get("/shard/points/No-Such")).toEqual({
      status: 400,
      body: {
        error: "Validation failed",
        errors: [
          {
            path: "system",
            message: expect.stringContaining("fails to match the points system pattern"),
          },
        ],
      },
    });
    expect(await get("/shard/points/Nowhere")).toEqual({
      status: 404,
      body: { error: "Unknown points system" },
    });
  });

  it("publish the rules of the world, and no other field", async () => {
    const { body } = await get("/shard/ruleset");
    expect(JSON.stringify(body)).not.toContain("canary");
    expect(body).toMatchObject({ expansion: samples["world.ruleset"].expansion });
  });

  it("publish champions and decay periods in either form that the shard uses", async () => {
    const { decay, champions } = samples["world.ruleset"];
    expect((await get("/shard/ruleset")).body).toMatchObject({ decay, champions });
    const periods = ["1h", "24-48h"];
    const listed = [{ name: "Rikktor", type: "Dragon" }, { name: "Barracoon" }];
    const payload = {
      ...samples["world.ruleset"],
      decay: { type: "Dynamic", periods: [...periods] },
      champions: listed.map((one) => ({ ...one, acct: "canary", newer: { acct: "canary" } })),
    };
    await ingestTestEvents(server.context, [{ kind: "world.ruleset", payload }]);
    const { body } = await get("/shard/ruleset");
    expect(body).toMatchObject({ decay: { type: "Dynamic", periods }, champions: listed });
    expect(JSON.stringify(body)).not.toContain("canary");
  });

  it("name the access level of each caller and the features that this level may read", async () => {
    const anonymous = await get("/shard/features");
    expect(anonymous.body).toMatchObject({ level: "anonymous" });
    expect((anonymous.body as { features: string[] }).features).not.toContain("deeds");
    expect((await get("/shard/features", linked)).body).toMatchObject({
      level: "player",
      features: expect.arrayContaining(["deeds", "status"]) as unknown,
    });
    expect((await get("/shard/features", moderator)).body).toMatchObject({ level: "staff" });
    expect((await get("/shard/features", admin)).body).toMatchObject({ level: "admin" });
  });
});

describe("the visibility settings", () => {
  it("make a route answer 403 to callers below the audience, and 404 to everyone if its feature is disabled", async () => {
    await change({ houses: { audience: "staff" }, leaderboards: { enabled: false } });
    expect(await get("/shard/houses")).toEqual({ status: 403, body: { error: "Forbidden" } });
    expect((await get("/shard/houses", linked)).status).toBe(403);
    expect((await get("/shard/houses", moderator)).status).toBe(200);
    expect(await get("/shard/points", admin)).toEqual({
      status: 404,
      body: { error: "Not found" },
    });
    await change({ houses: null, leaderboards: null });
    expect((await get("/shard/points")).status).toBe(200);
  });

  it("remove gated fields from the answers", async () => {
    await change({
      presence: { fieldRules: { byRegion: "logged_in" } },
      leaderboards: { fieldRules: { name: "admin" } },
    });
    expect((await get("/shard/presence")).body).toEqual({
      count: 7,
      facets: { Malas: 5, Felucca: 2 },
    });
    expect((await get("/shard/presence", linked)).body).toHaveProperty("regions");
    const named = async (who?: SignedIn) =>
      ((await get("/shard/points/Zeta", who)).body as { top: object[] }).top.map(
        (rank) => "name" in rank,
      );
    expect(await named()).not.toContain(true);
    expect(await named(moderator)).not.toContain(true);
    expect(await named(admin)).not.toContain(false);
    await change({ presence: null, leaderboards: null });
  });

  it("are unchanged after an update with unknown settings, which the refusal names", async () => {
    const { status, body } = await askToChange({
      houses: { audience: "everyone", fieldRules: { acct: "anonymous" } },
      online: { fieldRules: { location: "anonymous" } },
      dragons: { enabled: true },
      ruleset: { enabled: false },
    });
    expect(status).toBe(400);
    const { error, errors } = body as {
      error: string;
      errors: { path: string }[];
    };
    expect(error).toBe("Validation failed");
    expect(errors.map(({ path }) => path).toSorted()).toEqual([
      "features.dragons",
      "features.houses.audience",
      "features.houses.fieldRules.acct",
      "features.online.fieldRules.location",
    ]);
    expect((await get("/shard/ruleset")).status).toBe(200);
  });

  it("reach every process within a second", async () => {
    const other = await startTestServer({ database: server.database });
    await change({ ruleset: { enabled: false } });
    const theirs = async () => {
      other.context.keptAnswers.clear();
      return (await callRoute(other, "GET /public/shard/ruleset")).status;
    };
    await waitUntil("the other process heard of it", async () => (await theirs()) === 404, 1_000);
    expect(await theirs()).toBe(404);
    await change({ ruleset: null });
    await other.stop();
  });
});

describe("the public reads while the shard is away", () => {
  it("keep answering from stored data", async () => {
    await changeIngestSource(server, { beatAt: clockNowPlus(-60_000) });
    expect((await get("/shard/status")).body).toMatchObject({
      enabled: true,
      status: "reconnecting",
      pluginConnected: false,
      onlineCount: 0,
      economy: { accounts: 5 },
    });
    expect((await get("/shard/online")).body).toEqual([]);
    expect((await get("/shard/houses")).body).toHaveLength(1);
    expect((await get("/shard/points")).body).toHaveLength(3);
  });
});
