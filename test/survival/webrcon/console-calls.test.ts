import { afterEach, describe, expect, it } from "vitest";

import { pushPermissionsCall } from "../../../shared/survival/calls/permission-calls.ts";
import { checkPayload } from "../../../shared/survival/ingest/check-payload.ts";
import { probeConsole } from "../../../shared/survival/webrcon/probe-console.ts";
import type {
  ConsoleOptions,
  ConsoleSimulator,
} from "../../simulator/console/console-simulator.ts";
import { waitUntil } from "../../support/clock/wait.ts";
import {
  anna,
  bert,
  Consoles,
  createMemoryConsoleStore,
  type StartedFeed,
} from "./started-feed.ts";

const consoles = new Consoles();
afterEach(() => consoles.stopAll());

interface StartedCalls extends StartedFeed {
  readonly simulator: ConsoleSimulator;
  /** Returns the received commands that begin with a word. */
  readonly sent: (verb: string) => string[];
}

/** Starts a console with Anna and Bert, and a feed that executes calls. */
async function startCalls(options: ConsoleOptions = {}): Promise<StartedCalls> {
  const simulator = await consoles.start(options);
  simulator.join(anna.steamId, anna.name);
  simulator.join(bert.steamId, bert.name, { owner: anna.steamId });
  const started = consoles.feed(simulator);
  await started.untilEvents("player.online");
  const sent = (verb: string): string[] =>
    simulator.received.filter((command) => command.startsWith(verb));
  return { ...started, simulator, sent };
}

const refusal = (status: number, code: string, field?: string) => ({
  status,
  body: expect.objectContaining({ code, ...(field !== undefined && { field }) }) as object,
});

describe("an announcement", () => {
  it("is sent to the console as the rest of one line, without line ends and quotes", async () => {
    const { execute, sent } = await startCalls();
    const message = 'the "arena"\nopens; now';
    const outcome = await execute("POST /v1/announce", { message, voice: null, channel: "chat" });
    expect(outcome).toEqual({ status: 200, body: { delivered: 2 } });
    expect(sent("say")).toEqual(["say the arena opens, now"]);
  });

  it("is refused if its text is empty", async () => {
    const { execute, sent } = await startCalls();
    const outcome = await execute("POST /v1/announce", { message: '"\\"' });
    expect(outcome).toEqual(refusal(400, "INVALID", "message"));
    expect(sent("say")).toEqual([]);
  });

  it("is not sent again if the console does not answer", async () => {
    const { execute, sent, simulator } = await startCalls();
    simulator.isMute = true;
    const outcome = await execute("POST /v1/announce", { message: "hello" });
    expect(outcome).toEqual(refusal(503, "SHARD_DOWN"));
    expect(outcome.body).toMatchObject({ mayHaveRun: true });
    expect(sent("say")).toEqual(["say hello"]);
  });
});

describe("moderation", () => {
  it("kicks a player with the reason", async () => {
    const { execute, sent, simulator, untilEvents } = await startCalls();
    const body = { steamId: bert.steamId, reason: 'rude "words"' };
    expect(await execute("POST /v1/players/kick", body)).toEqual({
      status: 200,
      body: { ok: true },
    });
    expect(sent("kick")).toEqual([`kick ${bert.steamId} "rude words"`]);
    expect([...simulator.world.players.keys()]).toEqual([anna.steamId]);
    const [left] = await untilEvents("player.left");
    expect(left?.payload).toMatchObject({ ...bert, reason: "Kicked: rude words" });
  });

  it("does not kick a player whose name contains the id of an absent player", async () => {
    const { execute, sent, simulator } = await startCalls();
    const absent = "76561198000000077";
    simulator.join("76561198000000003", `x ${absent}`);
    const outcome = await execute("POST /v1/players/kick", { steamId: absent, reason: "x" });
    expect(outcome).toEqual(refusal(404, "NOT_FOUND"));
    expect(sent("kick")).toEqual([]);
  });

  it("bans a player and the owner of the borrowed game, lists both bans, and lifts the ban of the player", async () => {
    const { execute, sent, simulator } = await startCalls();
    const body = { steamId: bert.steamId, name: 'Be"rt', reason: "aim; bot", durationSec: 3_600 };
    const banned = await execute("POST /v1/players/ban", body);
    expect(banned).toEqual({ status: 200, body: { ok: true, ownerSteamId: anna.steamId } });
    expect(sent("banid")).toEqual([`banid ${bert.steamId} "Bert" "aim, bot" 3600s`]);
    expect(simulator.world.configWrites).toBe(1);
    expect(await execute("POST /v1/players/ban", body)).toEqual(refusal(409, "TAKEN"));
    // The feed saves an existing ban too, because the ban may come from an attempt without an answer.
    expect(simulator.world.configWrites).toBe(2);
    const listed = await execute("GET /v1/players/bans");
    const ban = { name: "Bert", reason: "aim, bot", expiresAt: expect.any(Number) as number };
    expect(listed.body).toEqual({
      bans: [
        { steamId: bert.steamId, ...ban },
        { steamId: anna.steamId, ...ban },
      ],
    });
    const unban = { steamId: bert.steamId };
    expect(await execute("POST /v1/players/unban", unban)).toEqual({
      status: 200,
      body: { ok: true },
    });
    expect(await execute("POST /v1/players/unban", unban)).toEqual(refusal(404, "NOT_FOUND"));
  });

  it.each([
    ["User 76561198000000001 is already banned", "aimbot"],
    ["Bert", "is already banned elsewhere"],
    ["Expiry time is in the past", "64bit steamid"],
    ["isn't banned", "Expiry time is in the past"],
  ])("bans a player with the name %j and the reason %j", async (name, reason) => {
    const { execute, simulator } = await startCalls();
    const body = { steamId: bert.steamId, name, reason };
    expect((await execute("POST /v1/players/ban", body)).status).toBe(200);
    expect(simulator.world.configWrites).toBe(1);
  });

  it("bans permanently without a duration, with the id in place of an empty name", async () => {
    const { execute, sent } = await startCalls({ splitter: "old" });
    const steamId = "76561198000000088";
    const body = { steamId, name: '"', reason: "aimbot", durationSec: null };
    expect((await execute("POST /v1/players/ban", body)).status).toBe(200);
    expect(sent("banid")).toEqual([`banid ${steamId} "${steamId}" "aimbot"`]);
    const { body: listed } = await execute("GET /v1/players/bans");
    expect(listed).toEqual({
      bans: [{ steamId, name: steamId, reason: "aimbot", expiresAt: null }],
    });
  });

  it.each([
    ["steamId", { steamId: "1 x", reason: "y" }],
    ["reason", { steamId: anna.steamId, reason: " \n" }],
    ["durationSec", { steamId: anna.steamId, reason: "y", durationSec: 0 }],
    ["durationSec", { steamId: anna.steamId, reason: "y", durationSec: 315_360_001 }],
  ])("refuses a ban with an invalid %s", async (field, body) => {
    const { execute, sent } = await startCalls();
    expect(await execute("POST /v1/players/ban", body)).toEqual(refusal(400, "INVALID", field));
    expect(sent("banid")).toEqual([]);
  });
});

describe("the calls of a link", () => {
  it("return the health and the hello", async () => {
    const { execute, simulator } = await startCalls();
    expect(await execute("GET /v1/health")).toEqual({
      status: 200,
      body: { protocol: 13, pluginConnected: true },
    });
    const hello = await execute("GET /v1/hello");
    expect(hello.body).toMatchObject({ world: { saveCreatedAt: simulator.world.savedAt } });
  });

  it("send the states of the game and of the players again", async () => {
    const { execute, untilEvents } = await startCalls();
    const outcome = await execute("POST /v1/resync", { families: ["server", "players", "map"] });
    expect(outcome).toEqual({ status: 202, body: {} });
    await untilEvents("server.hello", 2);
    await untilEvents("player.online", 2);
  });

  it("are answered UNSUPPORTED if a console cannot execute them", async () => {
    const { execute } = await startCalls();
    for (const call of ["PUT /v1/voice", "POST /v1/map/fetch", "GET /v1/config", "toString"]) {
      expect(await execute(call)).toEqual(refusal(422, "UNSUPPORTED"));
    }
  });

  it("are refused while the console is not connected", async () => {
    const { execute, simulator, sessions } = await startCalls();
    await simulator.close();
    await waitUntil("the session ended", () => sessions.at(-1) === null);
    expect(await execute("POST /v1/announce", { message: "x" })).toEqual(
      refusal(503, "SHARD_DOWN"),
    );
  });
});

const push = {
  pushId: "0b8f3c1e-7d52-4f0a-9c38-2f7f6f0f1d11",
  groups: [
    { name: "default", title: "default", rank: 0, parent: null, grant: ["kits.use"], revoke: [] },
    { name: "vip", title: "V I P", rank: 5, parent: "default", grant: ["kits.vip"], revoke: [] },
  ],
  users: [
    {
      steamId: anna.steamId,
      grant: ["zones.enter", "ghost.node"],
      revoke: ["kits.use"],
      join: ["vip"],
      leave: ["admin"],
    },
  ],
  remove: ["old"],
};

describe.each(["oxide", "carbon"] as const)("permissions over %s", (loader) => {
  it("are changed, and each failed change is reported", async () => {
    const { execute, simulator, untilEvents } = await startCalls({ loader });
    const { groups, users } = simulator.world;
    groups.set("old", { title: "", rank: 0, parent: null, permissions: new Set() });
    expect(pushPermissionsCall.docs?.body?.validate(push).error).toBeUndefined();
    expect(await execute("POST /v1/perm/push", push)).toEqual({ status: 202, body: {} });
    const [sync] = await untilEvents("perm.sync");
    expect(sync?.payload).toMatchObject({
      pushId: push.pushId,
      ok: false,
      failed: [
        {
          op: "grant",
          subjectKind: "user",
          subject: anna.steamId,
          kind: "permission",
          value: "ghost.node",
          reason: "unknown-permission",
        },
      ],
    });
    expect(checkPayload("perm.sync", sync?.payload ?? {})).toHaveProperty("payload");
    expect([...groups.keys()]).toEqual(["default", "admin", "vip"]);
    expect(groups.get("vip")).toMatchObject({ title: "V I P", rank: 5, parent: "default" });
    expect(groups.get("default")?.title).toBe("");
    expect([...(users.get(anna.steamId)?.groups ?? [])]).toEqual(["default", "vip"]);
    expect([...(users.get(anna.steamId)?.permissions ?? [])]).toEqual(["zones.enter"]);
  });

  it("are listed in an inventory", async () => {
    const { execute, simulator, untilEvents } = await startCalls({ loader });
    simulator.world.userOf(anna.steamId).permissions.add("kits.vip");
    simulator.world.groups.get("admin")?.permissions.add("kits.use");
    const outcome = await execute("GET /v1/perm/inventory");
    const [page] = await untilEvents("perm.inventory");
    expect(outcome).toEqual({
      status: 202,
      body: { inventoryId: page?.payload.inventoryId as string },
    });
    expect(checkPayload("perm.inventory", page?.payload ?? {})).toHaveProperty("payload");
    const group = { title: null, rank: null, parent: null };
    expect(page?.payload).toMatchObject({
      page: 1,
      pages: 1,
      groups: [
        { name: "default", ...group, permissions: [] },
        { name: "admin", ...group, permissions: ["kits.use"] },
      ],
      permissions: [{ name: "kits.vip" }, { name: "kits.use" }, { name: "zones.enter" }],
      users: [
        { ...anna, groups: ["default"], permissions: ["kits.vip"] },
        { ...bert, groups: ["default"], permissions: [] },
      ],
    });
  });
});

it("calls about permissions are answered UNSUPPORTED without a mod loader", async () => {
  const { execute, sessions } = await startCalls({ loader: "none" });
  expect(sessions.at(-1)?.capabilities).toEqual(["announce", "moderation"]);
  expect(await execute("POST /v1/perm/push", push)).toEqual(refusal(422, "UNSUPPORTED"));
  expect(await execute("GET /v1/perm/inventory")).toEqual(refusal(422, "UNSUPPORTED"));
});

describe("a test of the settings", () => {
  const settingsOf = ({ port, password }: ConsoleSimulator) => ({
    host: "127.0.0.1",
    port,
    password,
    isSecure: false,
  });

  it("returns the hello of the game", async () => {
    const simulator = await consoles.start();
    expect(
      await probeConsole(settingsOf(simulator), 5_000, createMemoryConsoleStore()),
    ).toMatchObject({
      ok: true,
      hello: { serverName: simulator.world.hostname },
    });
    await waitUntil("the connection is closed", () => simulator.clients === 0);
  });

  it("fails while the game generates its map, and if no console listens", async () => {
    const simulator = await consoles.start();
    simulator.world.isGenerating = true;
    const settings = settingsOf(simulator);
    expect(await probeConsole(settings, 400, createMemoryConsoleStore())).toMatchObject({
      ok: false,
      code: "SHARD_DOWN",
    });
    await simulator.close();
    expect(await probeConsole(settings, 400, createMemoryConsoleStore())).toMatchObject({
      ok: false,
      code: "SHARD_DOWN",
      reason: "ECONNREFUSED",
    });
  });
});
