import { Op } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { clockNowPlus } from "../../models/queries/clock.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { acquireSourceOwnership } from "../../shared/platform/ingest/ownership.ts";
import { storeLinkReport } from "../../shared/platform/ingest/report.ts";
import { sourceNameOf } from "../../shared/survival/server-locks.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { timeoutMs } from "../support/clock/wait.ts";
import { activityOf } from "../support/factories/site.ts";
import { buildSteamLink, buildSurvivalServer } from "../support/factories/survival.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { waitUntilLockWaits } from "../support/races/overtake.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";

let server: TestServer;
let admin: SignedIn;
let moderator: SignedIn;
let player: SignedIn;

beforeAll(async () => {
  server = await startTestServer();
  [admin, moderator, player] = await Promise.all([
    signIn(server, { role: "admin" }),
    signIn(server, { role: "moderator" }),
    signIn(server, { role: "player" }),
  ]);
});
afterAll(() => server.stop());

const anna = { steamId: "76561198000000001", name: "<color=red>Anna</color>" };
const bert = { steamId: "76561198000000002", name: "Bert" };
const saveId = Date.UTC(2026, 0, 1, 19);

/** Creates a server to which ingest is connected. Two players are online. */
async function liveServer(given = {}): Promise<number> {
  const { id } = await buildSurvivalServer(server, { enabled: true, ...given });
  await storeSurvivalFrames(server.context, id, [
    { type: "plugin", connected: true, bootId: "boot" },
    survivalFrame("server.hello", {
      serverName: "Oak",
      framework: { name: "Carbon", version: "2" },
      worldReady: true,
      world: { level: "Procedural Map", seed: 77, size: 4250, saveCreatedAt: saveId },
      helpers: [],
      capabilities: [],
    }),
    survivalFrame("server.status", { state: "online", players: 2, maxPlayers: 100, queued: 1 }),
    survivalFrame("player.online", {
      players: [
        { ...anna, connectedAt: saveId },
        { ...bert, connectedAt: saveId + 1_000 },
      ],
    }),
    survivalFrame("player.tally", {
      saveId,
      tallies: [
        { ...anna, stats: { playersKilled: 3, pvpKillDistance: 90 }, playtimeSec: 600 },
        { ...bert, stats: { playersKilled: 3 }, playtimeSec: 60, staff: true },
      ],
    }),
    survivalFrame("player.died", {
      victim: bert,
      killer: { kind: "player", ...anna, address: "10.0.0.1" },
      weapon: "ak47u",
      x: 12.5,
      z: -3,
      grid: "F12",
    }),
    survivalFrame("survival.npc.died", { netId: "1", profile: "ogre", killer: bert, grid: "A1" }),
    survivalFrame("plugin.failed", { name: "Kits", errors: [] }),
  ]);
  await server.context.models.IngestSource.update(
    { state: "connected", pluginConnected: true, beatAt: clockNowPlus(3_600_000) },
    { where: { source: `survival:${id}` } },
  );
  return id;
}

const publicPath = (id: number, tab = "") => `GET /public/survival/servers/${id}${tab}`;

describe("the administration of survival servers", () => {
  const link = {
    baseUrl: "http://sidecar.example:9000",
    wsUrl: "ws://sidecar.example:9000/v1/stream",
    token: "a-token-of-the-sidecar",
  };

  it("adds a server with a slug from its name, and never shows its token", async () => {
    const made = await callRoute(server, "POST /admin/survival/servers", {
      headers: admin.headers,
      body: { name: "Ēlder Oak", ...link, enabled: true, wipeRule: "monthly" },
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      server: {
        slug: "elder-oak",
        name: "Ēlder Oak",
        hasToken: true,
        enabled: true,
        listed: true,
        protocol: 13,
        online: false,
        players: null,
        wipeRule: "monthly",
        wipeDay: 4,
        wipeTime: "19:00",
        wipeTimezone: "Europe/London",
        nextWipeSource: "rule",
        link: { status: "reconnecting" },
      },
    });
    expect(made.text).not.toContain(link.token);
    const ofServers = { action: { [Op.startsWith]: "survival.server." } };
    const lines = await activityOf(server, ofServers, ["action", "detail"]);
    expect(lines).toEqual([
      {
        action: "survival.server.created",
        detail: {
          slug: "elder-oak",
          fields: [
            "enabled",
            "baseUrl",
            "wsUrl",
            "wipeRule",
            "wipeDay",
            "wipeTime",
            "wipeTimezone",
          ],
          tokenChanged: true,
        },
      },
    ]);
  });

  it("logs the names of the changed fields, and no values", async () => {
    const { id, slug } = await buildSurvivalServer(server, { region: "EU" });
    const { headers } = admin;
    const change = { name: "Canary", description: "A canary", region: "EU", sort: 7 };
    for (const body of [change, { ...change, token: "a-canary", wsUrl: link.wsUrl }]) {
      const changed = await callRoute(server, `PUT /admin/survival/servers/${id}`, {
        headers,
        body,
      });
      expect(changed.status).toBe(200);
    }
    await callRoute(server, `DELETE /admin/survival/servers/${id}`, { headers });
    const ofServer = { targetType: "survival_server", targetId: String(id) };
    expect(await activityOf(server, ofServer, ["action", "detail"])).toEqual([
      {
        action: "survival.server.changed",
        detail: { slug, fields: ["name", "description", "sort"] },
      },
      {
        action: "survival.server.changed",
        detail: { slug, fields: ["wsUrl"], tokenChanged: true },
      },
      { action: "survival.server.deleted", detail: { slug } },
    ]);
  });

  it("refuses to enable a server without address or token, and names each missing part", async () => {
    const refused = await callRoute(server, "POST /admin/survival/servers", {
      headers: admin.headers,
      body: { name: "Bare", enabled: true },
    });
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        error: "Validation failed",
        errors: ["token", "baseUrl", "wsUrl"].map((path) => ({
          path,
          message: `${path} is required while the server is enabled`,
        })),
      },
    ]);
    expect(await server.context.models.SurvivalServer.count({ where: { name: "Bare" } })).toBe(0);
  });

  const connectTo = (id: number, connect: string | null) =>
    callRoute(server, `PUT /admin/survival/servers/${id}`, {
      headers: admin.headers,
      body: { name: "Oak", connect },
    });

  it.each([
    "play.example.org:28015",
    "localhost:1",
    "xn--bcher-kva.example:65535",
    "192.0.2.7:28015",
    "[2001:db8::1]:28015",
    "[::ffff:192.0.2.7]:28015",
    null,
  ])("accepts %s as the address to which players connect", async (connect) => {
    const { id } = await buildSurvivalServer(server);
    const answered = await connectTo(id, connect);
    expect([answered.status, answered.body]).toMatchObject([200, { server: { connect } }]);
  });

  it.each([
    "play.example.org",
    "play.example.org:",
    ":28015",
    "play.example.org:0",
    "play.example.org:028015",
    "play.example.org:65536",
    "steam://connect/play.example.org:28015",
    "https://play.example.org:28015",
    "play.example.org:28015/",
    "play.example.org:28015?x=1",
    "play.example.org :28015",
    " play.example.org:28015",
    "play.example.org:28015\n",
    "robin@play.example.org:28015",
    "connect play.example.org:28015",
    "-play.example.org:28015",
    "play..example.org:28015",
    "192.0.2.256:28015",
    "192.0.2:28015",
    "2001:db8::1:28015",
    "[2001:db8::1]",
    "[fe80::1%eth0]:28015",
    "[play.example.org]:28015",
    "<b>play</b>:28015",
  ])("refuses %j as the address to which players connect, and names the form", async (connect) => {
    const { id } = await buildSurvivalServer(server);
    const answered = await connectTo(id, connect);
    const message =
      "connect must be only host:port, such as play.example.org:28015 or [2001:db8::1]:28015";
    expect([answered.status, answered.body]).toEqual([
      400,
      { error: "Validation failed", errors: [{ path: "connect", message }] },
    ]);
  });

  it("answers 409 if the slug is taken", async () => {
    const { slug } = await buildSurvivalServer(server);
    const { id } = await buildSurvivalServer(server);
    for (const route of ["POST /admin/survival/servers", `PUT /admin/survival/servers/${id}`]) {
      const body = { name: "Oak", slug };
      const taken = await callRoute(server, route, { headers: admin.headers, body });
      expect([taken.status, taken.headers.get("x-error-code"), taken.body]).toEqual([
        409,
        "slug_taken",
        { error: "The slug is taken" },
      ]);
    }
  });

  it("changes the wipe schedule only if the request contains wipeRule, and then replaces all its fields", async () => {
    const { id } = await buildSurvivalServer(server);
    const change = async (body: object) =>
      (
        await callRoute(server, `PUT /admin/survival/servers/${id}`, {
          headers: admin.headers,
          body,
        })
      ).body as {
        server: Record<string, unknown>;
      };
    await change({ wipeRule: "weekly", wipeDay: 1, wipeTime: "18:30", wipeTimezone: "UTC" });
    const kept = await change({ wipeDay: 3, name: "Renamed" });
    expect(kept.server).toMatchObject({ wipeRule: "weekly", wipeDay: 1, name: "Renamed" });
    const none = await change({ wipeRule: null, wipeDay: 3 });
    expect(none.server).toMatchObject({ wipeRule: null, wipeDay: null, nextWipe: null });
  });

  it("refuses to delete a server that has worlds, unless they are purged with it", async () => {
    const id = await liveServer();
    const kept = await callRoute(server, `DELETE /admin/survival/servers/${id}`, {
      headers: admin.headers,
    });
    expect([kept.status, kept.body]).toEqual([
      409,
      {
        error:
          "The server has worlds: disable and unlist it to keep them, or delete it with purge=true",
      },
    ]);
    const gone = await callRoute(server, `DELETE /admin/survival/servers/${id}?purge=true`, {
      headers: admin.headers,
    });
    expect([gone.status, gone.body]).toEqual([200, { id }]);
    const { IngestSource } = server.context.models;
    expect(await IngestSource.findByPk(sourceNameOf(id))).toBeNull();
    expect((await callRoute(server, publicPath(id))).status).toBe(404);
  });

  it("shows the state of the link to the game, and since when it has this state", async () => {
    const id = await liveServer();
    const linkOf = async () => {
      const route = `GET /admin/survival/servers/${id}`;
      const { body } = await callRoute(server, route, { headers: admin.headers });
      return (body as { server: { link: object } }).server.link;
    };
    const report = async (state: "connected" | "error", reason: string | null) => {
      const { config, log } = server.context;
      const signal = AbortSignal.timeout(timeoutMs);
      const source = `survival:${id}`;
      const owner = await acquireSourceOwnership({ url: config.DATABASE_URL, source, log, signal });
      const status = { state, reason, pluginConnected: state === "connected" };
      const counted = { received: 0, duplicates: 0, rejected: 0, gaps: 0, ignored: 0 };
      const stats = { ...counted, waiting: 0, lastAckAt: null };
      await storeLinkReport(owner, { status, stats, duplicates: 0 });
      await owner.release();
    };
    const stored = await server.context.models.IngestSource.findByPk(`survival:${id}`);
    const standing = {
      lastEventAt: stored?.lastEventAt?.toISOString(),
      lastSeq: stored?.seq,
      bootId: "boot",
      epoch: stored?.epoch,
      worldReady: true,
      pluginVersion: null,
      npcApi: null,
      rowsLeftOut: 0,
      leftOut: [],
    };
    await report("error", "UNAUTHORIZED");
    const failed = await linkOf();
    expect(failed).toEqual({ ...standing, status: "error", since: anyTime, error: "UNAUTHORIZED" });
    await report("error", "UNAUTHORIZED");
    expect(await linkOf()).toEqual(failed);
    await report("connected", null);
    const back = await linkOf();
    expect(back).toEqual({ ...standing, status: "connected", since: anyTime, error: null });
    expect(back).not.toMatchObject({ since: (failed as { since: string }).since });
  });

  it("reports an incomplete link when it is tested", async () => {
    const { id } = await buildSurvivalServer(server);
    const tried = await callRoute(server, `POST /admin/survival/servers/${id}/test`, {
      headers: admin.headers,
    });
    expect([tried.status, tried.body]).toEqual([
      200,
      {
        ok: false,
        protocol: 13,
        code: "INCOMPLETE",
        reason: "an address or the token is missing",
      },
    ]);
  });

  it("shows staff the declared fields of events, and lets only administrators change a server", async () => {
    const id = await liveServer();
    const shown = await callRoute(
      server,
      `GET /admin/survival/servers/${id}/events?kind=plugin.failed`,
      {
        headers: moderator.headers,
      },
    );
    expect(shown.body).toEqual({
      events: [
        {
          id: expect.any(Number),
          kind: "plugin.failed",
          t: expect.any(Number),
          bootId: "boot",
          saveId: null,
          payload: { name: "Kits", errors: [] },
          createdAt: expect.any(String),
          hiddenAt: null,
        },
      ],
    });
    await storeSurvivalFrames(server.context, id, [
      survivalFrame("player.reported", {
        reporter: { ...anna, ip: "192.0.2.7" },
        subject: "Cheating",
        token: "canary",
      }),
      survivalFrame("plugin.spied", { token: "canary" }),
    ]);
    const newest = await callRoute(server, `GET /admin/survival/servers/${id}/events?limit=2`, {
      headers: moderator.headers,
    });
    expect(newest.body).toEqual({
      events: [
        expect.objectContaining({ kind: "plugin.spied", payload: {} }),
        expect.objectContaining({
          kind: "player.reported",
          payload: { reporter: { ...anna, name: "Anna" }, subject: "Cheating" },
        }),
      ],
      next: expect.any(Number),
    });
    const body = { name: "Mine" };
    const refused = await Promise.all([
      callRoute(server, `PUT /admin/survival/servers/${id}`, { headers: moderator.headers, body }),
      callRoute(server, `GET /admin/survival/servers/${id}`, { headers: player.headers }),
      callRoute(server, `GET /admin/survival/servers`),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 401]);
  });
});

describe("GET /public/status", () => {
  it("counts the listed survival servers, and those of them that are online", async () => {
    const read = async () => {
      server.context.keptAnswers.clear();
      return (await callRoute(server, "GET /public/status")).body as { survival: object };
    };
    const list = async () => {
      const { body } = await callRoute(server, "GET /public/survival/servers");
      return (body as { servers: { online: boolean }[] }).servers;
    };
    const before = (await list()).length;
    await liveServer({ listed: true });
    await liveServer({ listed: false });
    await buildSurvivalServer(server, { enabled: false, listed: true });
    const servers = await list();
    const online = servers.filter((one) => one.online).length;
    expect([servers.length, online > 0]).toEqual([before + 2, true]);
    expect((await read()).survival).toEqual({ servers: servers.length, online });
  });
});

describe("a survival server in public answers", () => {
  it("is shown if it is listed, and answers 404 if it is not", async () => {
    const id = await liveServer();
    const { id: hidden } = await buildSurvivalServer(server, { listed: false });
    const { body } = await callRoute(server, "GET /public/survival/servers");
    const ids = (body as { servers: { id: number }[] }).servers.map((one) => one.id);
    expect(ids).toContain(id);
    expect(ids).not.toContain(hidden);
    expect((await callRoute(server, publicPath(hidden))).status).toBe(404);
    expect((await callRoute(server, publicPath(hidden, "/feed"))).status).toBe(404);
  });

  it("has no next wipe if an administrator sets a time that has already passed", async () => {
    const id = await liveServer({ enabled: false });
    const wipeAt = new Date(Date.now() - 600_000).toISOString();
    const { headers } = admin;
    const body = { wipeRule: "once", wipeAt };
    const set = await callRoute(server, `PUT /admin/survival/servers/${id}`, { headers, body });
    expect(set.status).toBe(200);
    for (const route of [publicPath(id), `${publicPath(id)}/wipes`]) {
      const shown = (await callRoute(server, route)).body as { server?: object };
      expect(shown.server ?? shown).toMatchObject({ nextWipe: null });
    }
  });

  it.each(["9999-12-31T23:59:59-10:00", "0000-01-01T00:00:00+10:00", "2099-02-30T00:00:00Z"])(
    "cannot have its next wipe at %s, which is not a valid time",
    async (wipeAt) => {
      const { id } = await buildSurvivalServer(server);
      const refused = await callRoute(server, `PUT /admin/survival/servers/${id}`, {
        headers: admin.headers,
        body: { wipeRule: "once", wipeAt },
      });
      expect([refused.status, refused.body]).toEqual([
        400,
        {
          error: "Validation failed",
          errors: [{ path: "wipeAt", message: "wipeAt must be an instant with Z or an offset" }],
        },
      ]);
    },
  );

  it("shows its state, and names the page tabs with data for the caller", async () => {
    const id = await liveServer({ name: "Oak", showSeed: false });
    const { body } = await callRoute(server, publicPath(id));
    expect(body).toEqual({
      server: {
        id,
        slug: expect.any(String),
        name: "Oak",
        description: "Oak",
        region: null,
        framework: "carbon",
        modded: false,
        connect: null,
        online: true,
        onlineSince: expect.any(String),
        lastSeenAt: expect.any(String),
        players: 2,
        maxPlayers: 100,
        queued: 1,
        joining: null,
        map: { level: "Procedural Map", seed: null, worldSize: 4250, custom: false },
        mapHash: null,
        lastWipe: new Date(saveId).toISOString(),
        nextWipe: null,
        nextWipeSource: null,
        wipeRule: null,
        wipeTimezone: null,
        tabs: {
          feed: false,
          leaderboard: true,
          online: false,
          wipes: true,
          map: true,
          clans: true,
        },
        sort: 0,
      },
    });
  });

  it("is offline if its game reports so, although the link is up", async () => {
    const id = await liveServer();
    const said = async (state: string) => {
      const status = { state, players: 0, maxPlayers: 100 };
      await storeSurvivalFrames(server.context, id, [survivalFrame("server.status", status)]);
      const { body } = await callRoute(server, publicPath(id));
      return (body as { server: { online: boolean } }).server.online;
    };
    expect(await said("offline")).toBe(false);
    expect(await said("saving")).toBe(true);
  });

  it("has a custom map if the game uses a map file, and hides the address of the file", async () => {
    const id = await liveServer();
    const world = { level: "Island", size: 3_000, saveCreatedAt: saveId };
    const levelUrl = "https://maps.example/island.map?key=secret";
    await storeSurvivalFrames(server.context, id, [
      survivalFrame("server.hello", {
        serverName: "Oak",
        worldReady: true,
        world: { ...world, levelUrl },
        helpers: [],
        capabilities: [],
      }),
    ]);
    const { body, text } = await callRoute(server, publicPath(id));
    expect((body as { server: object }).server).toMatchObject({
      map: { level: "Island", seed: null, worldSize: 3_000, custom: true },
    });
    expect(text).not.toContain("maps.example");
  });

  it("hides the online players from callers below the presence audience, but shows their number", async () => {
    const id = await liveServer();
    expect((await callRoute(server, publicPath(id, "/online"))).body).toEqual({
      players: [],
      hidden: true,
      count: 2,
      audience: "logged_in",
    });
    expect(
      (await callRoute(server, publicPath(id, "/online"), { headers: player.headers })).body,
    ).toEqual({
      players: [
        { steamId: anna.steamId, name: "Anna", since: new Date(saveId).toISOString() },
        { steamId: bert.steamId, name: "Bert", since: new Date(saveId + 1_000).toISOString() },
      ],
      hidden: false,
      count: 2,
      audience: "logged_in",
    });
  });

  it("is shown from stored data while the game is off, with nobody online", async () => {
    const id = await liveServer({ enabled: false });
    expect((await callRoute(server, publicPath(id))).body).toMatchObject({
      server: { online: false, players: null, onlineSince: null },
    });
    expect((await callRoute(server, publicPath(id, "/online"))).body).toMatchObject({ count: 0 });
    expect((await callRoute(server, publicPath(id, "/leaderboard"))).body).toMatchObject({
      total: 1,
    });
    expect((await callRoute(server, publicPath(id, "/feed"))).body).toMatchObject({
      events: [{ kind: "survival.npc.died" }],
    });
    expect((await callRoute(server, publicPath(id, "/wipes"))).body).toMatchObject({
      wipes: [{ saveId }],
    });
  });

  it("shows in its feed only data that the caller may see, and positions only to staff", async () => {
    const id = await liveServer();
    const feed = async (as?: SignedIn) => {
      const { body } = await callRoute(server, publicPath(id, "/feed"), { headers: as?.headers });
      const { events, hidden } = body as {
        events: { kind: string; text: string; payload: object }[];
        hidden: boolean;
      };
      return { hidden, events: events.map(({ kind, text, payload }) => ({ kind, text, payload })) };
    };
    const npc = {
      kind: "survival.npc.died",
      text: "ogre died.",
      payload: { profile: "ogre" },
    };
    expect(await feed()).toEqual({ hidden: true, events: [npc] });
    const death = {
      kind: "player.died",
      text: "Bert was killed by Anna with ak47u.",
      payload: { victim: bert, killer: { kind: "player", ...anna, name: "Anna" }, weapon: "ak47u" },
    };
    const killed = {
      ...npc,
      text: "ogre was killed by Bert.",
      payload: { profile: "ogre", killer: bert },
    };
    expect(await feed(player)).toEqual({ hidden: false, events: [killed, death] });
    expect(await feed(moderator)).toEqual({
      hidden: false,
      events: [
        { ...killed, payload: { ...killed.payload, grid: "A1" } },
        { ...death, payload: { ...death.payload, x: 12.5, z: -3, grid: "F12" } },
      ],
    });
  });

  it("shows no markup and no bidirectional characters in its feed", async () => {
    const id = await liveServer({ ignoreStaff: false });
    const carl = { steamId: "76561198000000003", name: "<b>\u202E</b>" };
    await storeSurvivalFrames(server.context, id, [
      survivalFrame("player.chat", {
        ...anna,
        channel: "global",
        message: "<size=90>hi\u202E\nall",
      }),
      survivalFrame("player.died", {
        victim: carl,
        killer: { kind: "npc", name: "<b>Ogre</b>", profile: "ogre" },
        weapon: "<i>club</i>",
      }),
      survivalFrame("survival.npc.died", {
        netId: "9",
        profile: "ogre",
        name: "<b>Ogre</b>\u2066",
        killer: anna,
        contributors: [{ steamId: anna.steamId, damage: 4 }],
      }),
    ]);
    const { body } = await callRoute(server, publicPath(id, "/feed?limit=3"), {
      headers: player.headers,
    });
    const { events } = body as { events: { text: string; payload: object }[] };
    const ann = { steamId: anna.steamId, name: "Anna" };
    expect(events.map(({ text, payload }) => ({ text, payload }))).toEqual([
      {
        text: "Ogre was killed by Anna.",
        payload: {
          profile: "ogre",
          name: "Ogre",
          killer: ann,
          contributors: [{ steamId: anna.steamId, damage: 4 }],
        },
      },
      {
        text: `${carl.steamId} was killed by Ogre.`,
        payload: {
          victim: { steamId: carl.steamId, name: carl.steamId },
          killer: { kind: "npc", name: "Ogre", profile: "ogre" },
          weapon: "club",
        },
      },
      { text: "Anna: hi all", payload: { ...ann, channel: "global", message: "hi all" } },
    ]);
  });

  it("shows no line of chat that staff hid, until they show it again", async () => {
    const id = await liveServer();
    const said = { steamId: anna.steamId, name: "Anna", channel: "global", message: "rude" };
    await storeSurvivalFrames(server.context, id, [survivalFrame("player.chat", said)]);
    const feed = async () => {
      const route = publicPath(id, "/feed?kinds=player.chat");
      const { body } = await callRoute(server, route, { headers: player.headers });
      return (body as { events: { id: number; payload: object }[] }).events;
    };
    const [line] = await feed();
    const path = `PUT /admin/survival/servers/${id}/events/${line?.id}`;
    const hide = (hidden: boolean, as: SignedIn, route = path) =>
      callRoute(server, route, { headers: as.headers, body: { hidden } });
    expect((await hide(true, player)).status).toBe(403);
    const done = await hide(true, moderator);
    const event = {
      id: line?.id,
      kind: "player.chat",
      t: expect.any(Number),
      bootId: "boot",
      saveId: null,
      payload: said,
      createdAt: expect.any(String),
    };
    expect([done.status, done.body]).toEqual([
      200,
      { event: { ...event, hiddenAt: expect.any(String) } },
    ]);
    expect(await feed()).toEqual([]);
    expect((await hide(true, admin)).body).toEqual(done.body);
    expect((await hide(false, admin)).body).toEqual({ event: { ...event, hiddenAt: null } });
    expect(await feed()).toEqual([line]);
    const ofChat = { action: { [Op.startsWith]: "survival.chat." } };
    const deeds = await activityOf(server, ofChat, ["action", "actorId", "detail"]);
    const detail = { eventId: line?.id };
    expect(deeds).toEqual([
      { action: "survival.chat.hidden", actorId: moderator.userId, detail },
      { action: "survival.chat.shown", actorId: admin.userId, detail },
    ]);
    const { events } = (
      await callRoute(server, `GET /admin/survival/servers/${id}/events?kind=player.died`, {
        headers: admin.headers,
      })
    ).body as { events: { id: number }[] };
    const death = `PUT /admin/survival/servers/${id}/events/${events[0]?.id}`;
    expect((await hide(true, admin, death)).status).toBe(404);
    const { id: other } = await buildSurvivalServer(server);
    const elsewhere = `PUT /admin/survival/servers/${other}/events/${line?.id}`;
    expect((await hide(true, admin, elsewhere)).status).toBe(404);
    const speaker = await signIn(server, { role: "moderator" });
    await buildSteamLink(server, { steamId: anna.steamId, userId: speaker.userId });
    const own = [403, { error: "Another staff member must decide on your own messages" }];
    expect(statusAndBodyOf(await hide(true, speaker))).toEqual(own);
    expect(statusAndBodyOf(await hide(false, speaker))).toEqual(own);
    // The moderator is refused even after unlinking the Steam account: otherwise the moderator could unlink the
    // account, show the message, and link the account again.
    const unlink = `DELETE /player/survival/link/${anna.steamId}`;
    expect((await callRoute(server, unlink, { headers: speaker.headers })).status).toBe(200);
    expect(statusAndBodyOf(await hide(false, speaker))).toEqual(own);
    expect(statusAndBodyOf(await hide(true, moderator))).toMatchObject([200, {}]);
  });

  it("has one log entry for a hidden line of chat, even if two staff members hide it at once", async () => {
    const id = await liveServer();
    const said = { steamId: "76561198000000002", name: "Beth", channel: "global", message: "rude" };
    await storeSurvivalFrames(server.context, id, [survivalFrame("player.chat", said)]);
    const { SurvivalEvent } = server.context.models;
    const line = await SurvivalEvent.findOne({
      where: { serverId: id, kind: "player.chat" },
      rejectOnEmpty: true,
    });
    const hide = ({ headers }: SignedIn) =>
      callRoute(server, `PUT /admin/survival/servers/${id}/events/${line.id}`, {
        headers,
        body: { hidden: true },
      });
    const { asked } = await inTransaction(server.context.sequelize, async (transaction) => {
      await SurvivalEvent.findByPk(line.id, { lock: transaction.LOCK.UPDATE, transaction });
      const both = [hide(moderator), hide(admin)];
      await waitUntilLockWaits(server, both.length);
      return { asked: both };
    });
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200]);
    const ofLine = { action: "survival.chat.hidden", detail: { eventId: line.id } };
    expect(await activityOf(server, ofLine, ["action"])).toHaveLength(1);
  });

  it("is modded if mods that change the gameplay are loaded, and unknown before its first hello", async () => {
    const { id } = await buildSurvivalServer(server, { enabled: true });
    const modded = async () => {
      const { body } = await callRoute(server, publicPath(id));
      return (body as { server: { modded: boolean | null } }).server.modded;
    };
    const says = async (...helpers: object[]) => {
      await storeSurvivalFrames(server.context, id, [
        survivalFrame("server.hello", {
          serverName: "Oak",
          worldReady: true,
          world: { saveCreatedAt: saveId },
          helpers,
          capabilities: [],
        }),
      ]);
      return modded();
    };
    const kits = { id: "kits", name: "Kits" };
    const chat = { id: "chat", name: "BetterChat", loaded: true };
    expect([
      await modded(),
      await says(chat, { ...kits, loaded: false }),
      await says(chat, { ...kits, loaded: true }),
    ]).toEqual([null, false, true]);
  });

  it("shows the time of an event in milliseconds", async () => {
    const id = await liveServer();
    const t = 1_764_300_000_123;
    const joined = { ...anna, connectedAt: saveId };
    await storeSurvivalFrames(server.context, id, [survivalFrame("player.joined", joined, { t })]);
    const { body } = await callRoute(server, publicPath(id, "/feed?kinds=player.joined"), {
      headers: player.headers,
    });
    expect(body).toEqual({
      events: [
        {
          id: expect.any(Number),
          kind: "player.joined",
          t,
          text: "Anna joined.",
          payload: { ...joined, name: "Anna" },
        },
      ],
      hidden: false,
    });
  });

  it("shows the clan of online players, and the title of ranked players", async () => {
    const id = await liveServer();
    const clan = { clanId: "7", created: "1764542400" };
    const rules = [{ stat: "playersKilled", topN: 1, text: "Reaper" }];
    await callRoute(server, `PUT /admin/survival/servers/${id}/titles`, {
      headers: admin.headers,
      body: { mode: "all", rules },
    });
    await storeSurvivalFrames(server.context, id, [
      survivalFrame("clan.board", {
        at: saveId,
        clans: [{ ...clan, name: "<b>Owls</b>", score: "10", color: 1, members: 1 }],
        limit: 100,
      }),
      survivalFrame("clan.roster", {
        ...clan,
        motd: null,
        roles: [],
        members: [{ ...anna, roleId: 1, joinedAt: saveId, online: true }],
      }),
    ]);
    await server.context.models.SteamLink.create({ ...bert, userId: player.userId, serverId: id });
    const { body: board } = await callRoute(server, publicPath(id, "/leaderboard"));
    expect(board).toMatchObject({
      entries: [{ rank: 1, steamId: anna.steamId, name: "Anna", value: 3, title: "Reaper" }],
    });
    const since = new Date(saveId).toISOString();
    const shown = { steamId: anna.steamId, name: "Anna", since };
    const other = { ...bert, since: new Date(saveId + 1_000).toISOString() };
    const online = async (as: SignedIn) => {
      const { body } = await callRoute(server, publicPath(id, "/online"), { headers: as.headers });
      return (body as { players: object[] }).players;
    };
    const stranger = await signIn(server);
    expect(await online(stranger)).toEqual([shown, other]);
    const owls = { externalId: `${id}-7-1764542400`, name: "Owls" };
    expect(await online(player)).toEqual([{ ...shown, clan: owls }, other]);
  });

  it("refuses event kinds that its feed does not have", async () => {
    const id = await liveServer();
    const { status } = await callRoute(
      server,
      publicPath(id, "/feed?kinds=player.died,plugin.failed"),
    );
    expect(status).toBe(400);
  });

  it("ranks its players, without staff if the server ignores staff", async () => {
    const [without, withStaff] = [await liveServer(), await liveServer({ ignoreStaff: false })];
    const board = async (id: number, search = "") =>
      (await callRoute(server, publicPath(id, `/leaderboard${search}`))).body as object;
    const first = { rank: 1, steamId: anna.steamId, name: "Anna", value: 3 };
    expect(await board(without)).toMatchObject({
      stat: "playersKilled",
      entries: [first],
      total: 1,
    });
    expect(await board(withStaff, "?wipe=all")).toMatchObject({
      wipe: "all",
      entries: [first, { rank: 1, steamId: bert.steamId, name: "Bert", value: 3 }],
      total: 2,
    });
    expect(await board(without, "?stat=pvpKillDistance&offset=5")).toMatchObject({
      entries: [],
      total: 1,
    });
    expect((await callRoute(server, publicPath(without, "/leaderboard?stat=luck"))).status).toBe(
      400,
    );
    expect((await callRoute(server, publicPath(without, "/leaderboard?wipe=999999"))).status).toBe(
      404,
    );
  });

  it("gives players of equal distance the same rank, in the order in which they reached it, even after a later world", async () => {
    const { id } = await buildSurvivalServer(server);
    const tell = async (world: number, who: object, metres: number) => {
      const stats = { pvpKillDistance: metres, pveKillDistance: metres, playersKilled: metres };
      const tallies = [{ ...who, stats, playtimeSec: 60 }];
      await storeSurvivalFrames(server.context, id, [
        survivalFrame("server.hello", {
          serverName: "Oak",
          worldReady: true,
          world: { saveCreatedAt: world },
          helpers: [],
          capabilities: [],
        }),
        survivalFrame("player.tally", { saveId: world, tallies }),
      ]);
    };
    const later = Date.UTC(2026, 1, 5, 19);
    await tell(saveId, anna, 300);
    await tell(saveId, bert, 300);
    await tell(later, anna, 100);
    const board = async (stat: string) => {
      const path = publicPath(id, `/leaderboard?wipe=all&stat=${stat}`);
      return (await callRoute(server, path)).body;
    };
    const entry = (rank: number, { steamId }: typeof anna, value: number) => ({
      rank,
      steamId,
      value,
    });
    const score = await server.context.models.SurvivalScore.findOne({
      where: { steamId: anna.steamId, stat: "pvpKillDistance", value: 100 },
      order: [["reachedAt", "DESC"]],
      rejectOnEmpty: true,
    });
    for (const stat of ["pvpKillDistance", "pveKillDistance"]) {
      expect(await board(stat)).toMatchObject({
        entries: [entry(1, anna, 300), entry(1, bert, 300)],
      });
    }
    expect(await board("pvpKillDistance")).toMatchObject({
      updatedAt: score.reachedAt.toISOString(),
    });
    await tell(later, bert, 100);
    await tell(later, anna, 100);
    expect(await board("playersKilled")).toMatchObject({
      entries: [entry(1, anna, 400), entry(1, bert, 400)],
    });
  });

  it("lists its worlds with the leaders of each world", async () => {
    const id = await liveServer();
    expect((await callRoute(server, publicPath(id, "/wipes"))).body).toEqual({
      wipes: [
        {
          id: expect.any(Number),
          serverId: id,
          saveId,
          startedAt: new Date(saveId).toISOString(),
          endedAt: null,
          kind: "unknown",
          forced: false,
          saveProtocol: null,
          level: "Procedural Map",
          seed: "77",
          worldSize: 4250,
          mapHash: null,
          players: 2,
          peak: 2,
          leaders: {
            kills: { steamId: anna.steamId, name: "Anna", value: 3 },
            playtime: { steamId: anna.steamId, name: "Anna", value: 600 },
          },
        },
      ],
      nextWipe: null,
      schedule: {
        wipeRule: null,
        wipeDay: null,
        wipeTime: null,
        wipeTimezone: null,
        wipeCron: null,
        wipeAt: null,
      },
    });
  });
});

describe("the visibility of survival servers", () => {
  const path = "/admin/survival/visibility";

  it("is changed key by key, and null restores the default", async () => {
    const change = async (body: object) => {
      const { status, body: told } = await callRoute(server, `PUT ${path}`, {
        headers: admin.headers,
        body,
      });
      return [status, told] as const;
    };
    expect(await change({ presence: "anonymous", layers: { events: "player" } })).toEqual([
      200,
      expect.objectContaining({
        presence: "anonymous",
        layers: { world: "anonymous", events: "player", players: "staff", bases: "staff" },
        updatedBy: admin.username,
      }),
    ]);
    const id = await liveServer();
    expect((await callRoute(server, publicPath(id, "/online"))).body).toMatchObject({
      hidden: false,
    });
    expect(await change({ presence: null, layers: null })).toEqual([
      200,
      expect.objectContaining({ presence: "logged_in" }),
    ]);
  });

  it("is announced to every process when it changes", async () => {
    const heard = Promise.withResolvers<void>();
    const stop = server.context.listener.on("visibility", () => heard.resolve());
    const body = { profiles: "staff" };
    const headers = admin.headers;
    expect((await callRoute(server, `PUT ${path}`, { headers, body })).status).toBe(200);
    await heard.promise;
    stop();
    await callRoute(server, `PUT ${path}`, { headers, body: { profiles: null } });
  });

  it("lists a hidden monument that is on no current map, until the setting is reset", async () => {
    const id = await liveServer();
    const maps = (...labels: string[]) =>
      storeSurvivalFrames(server.context, id, [
        survivalFrame("map.info", {
          saveId,
          worldSize: 4_000,
          monuments: labels.map((label) => ({ label, name: label, x: 1, z: 2 })),
        }),
      ]);
    const hide = async (label: string, shown: boolean | null) => {
      const body = { monuments: [{ label, shown }] };
      const changed = await callRoute(server, `PUT ${path}`, { headers: admin.headers, body });
      return [changed.status, (changed.body as { monuments?: object[] }).monuments];
    };
    const dome = { label: "dome", name: "dome", shown: true, servers: [id] };
    const harbor = { label: "harbor", name: "harbor", shown: false, servers: [id] };
    await maps("dome", "harbor");
    expect(await hide("harbor", false)).toEqual([200, [dome, harbor]]);
    await maps("dome");
    const { body } = await callRoute(server, `GET ${path}`, { headers: admin.headers });
    expect(body).toMatchObject({
      monuments: [dome, { label: "harbor", name: null, shown: false, servers: [] }],
    });
    expect(await hide("harbor", null)).toEqual([200, [dome]]);
    expect(await hide("harbor", null)).toEqual([400, undefined]);
  });

  it("cannot open players and bases to callers below staff, nor hide a monument that no map contains", async () => {
    const refused = async (body: object) => {
      const answer = await callRoute(server, `PUT ${path}`, { headers: admin.headers, body });
      return [answer.status, answer.body];
    };
    expect(await refused({ layers: { players: "player" } })).toEqual([
      400,
      {
        error: "Validation failed",
        errors: [
          {
            path: "layers.players",
            message: "layers.players must be one of [staff, admin, null]",
          },
        ],
      },
    ]);
    expect(await refused({ monuments: [{ label: "nowhere", shown: false }] })).toEqual([
      400,
      {
        error: "Validation failed",
        errors: [
          {
            path: "monuments.0.label",
            message: "monuments[0].label is not the label of a monument on a map",
          },
        ],
      },
    ]);
    expect((await callRoute(server, `GET ${path}`, { headers: moderator.headers })).status).toBe(
      403,
    );
  });
});
