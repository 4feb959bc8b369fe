import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { updateTitlesJob } from "../../jobs/survival/titles.job.ts";
import { runSyncJob } from "../../shared/survival/sync/delivery/run-sync.ts";
import type { SyncName } from "../../shared/survival/sync/sync-kind.ts";
import { statNames } from "../../shared/survival/titles/title-categories.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { forgetJobs } from "../support/database/forget-jobs.ts";
import { jobsOf } from "../support/database/stored-jobs.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { activityOf } from "../support/factories/site.ts";
import { changeSurvivalServers } from "../support/factories/survival.ts";
import { anyRevision } from "../support/http/any-revision.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startSurvivalGame, type SurvivalGameSite } from "../support/survival/survival-game.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";

let server: TestServer;
let admin: SignedIn;
let moderator: SignedIn;
let game: SurvivalGameSite;
let id: number;

beforeAll(async () => {
  server = await startTestServer({ environment: { SURVIVAL_DEBOUNCE: "0s" } });
  admin = await signIn(server, { role: "admin" });
  moderator = await signIn(server, { role: "moderator" });
  game = await startSurvivalGame(server);
  id = game.server.id;
});
afterAll(async () => {
  await game.simulator.stop();
  await server.stop();
});
beforeEach(async () => {
  await deleteAll(server, "SurvivalWipe", "SurvivalPush", "SurvivalLedgerEntry");
  await deleteAll(server, "SurvivalTitleRule", "SurvivalTitleText", "SurvivalTitleServer");
  const { SurvivalVoice } = server.context.models;
  await SurvivalVoice.update({ voice: null, updatedAt: null }, { where: {} });
  await changeSurvivalServers(server, { titleMode: "first", titleMax: null });
  await forgetJobs(server, "survival.%");
  game.simulator.world.titles = null;
  game.simulator.world.voice = null;
  await sayHello();
});
afterEach(() => game.simulator.faults.clear());

const january = Date.UTC(2026, 0, 1, 19);

const store = (kind: string, payload: object) =>
  storeSurvivalFrames(server.context, id, [survivalFrame(kind, payload)]);

const sayHello = (saveCreatedAt = january) =>
  store("server.hello", {
    serverName: "Oak",
    worldReady: true,
    world: { saveCreatedAt },
    helpers: [],
    capabilities: ["titles", "voice"],
  });

const steamIdOf = (player: number) => `7656119800000000${player}`;

/** Stores the kills of players, as reported by the game. */
const tally = (...kills: readonly (readonly [player: number, count: number, staff?: boolean])[]) =>
  store("player.tally", {
    saveId: january,
    tallies: kills.map(([player, playersKilled, staff = false]) => ({
      steamId: steamIdOf(player),
      name: `Player ${player}`,
      stats: { playersKilled },
      playtimeSec: 60,
      staff,
    })),
  });

const push = (name: SyncName) => runSyncJob({ serverId: id, name }, server.context);
const toldTitles = () =>
  game.simulator.world.titles as { readonly holders: readonly unknown[] } | null;
const timesTold = () => game.calls().filter((line) => line === "PUT /v1/titles").length;

const as = (who: SignedIn, route: string, body?: unknown) =>
  callRoute(server, route, { body, headers: who.headers });

const put = (body: unknown) => as(admin, `PUT /admin/survival/servers/${id}/titles`, body);
const readTitles = async () =>
  (await as(moderator, `GET /admin/survival/servers/${id}/titles`)).body as {
    holders: unknown[];
    push: unknown;
  };

const kills = (given: object = {}) => ({ stat: "playersKilled", topN: 1, ...given });
const held = (player: number, given: object = {}) => ({
  steamId: steamIdOf(player),
  titles: [{ text: "Murderer", color: null, stat: "playersKilled", rank: 1, ...given }],
});

const followTallies = () =>
  updateTitlesJob.run({ serverId: id }, server.context, {
    jobId: "1",
    signal: new AbortController().signal,
  });

const waiting = async (name: string): Promise<number> => {
  const all = await jobsOf(server, name);
  return all.filter(({ state }) => state === "created").length;
};

const ledger = () =>
  storedRows(server.context.models.SurvivalLedgerEntry, ["what", "state", "reason"]);

/** Returns the lines of the activity log about an action, oldest first. */
const linesOf = (action: string) => activityOf(server, { action }, ["detail"]);

describe("the title categories", () => {
  const playersKilled = {
    stat: "playersKilled",
    label: "Players killed",
    unit: "count",
    aggregate: "sum",
    ranked: true,
    defaultTitle: "Murderer",
    title: "Murderer",
    customised: false,
    revision: anyRevision,
    updatedAt: null,
    updatedBy: null,
  };
  const write = (stat: string, title: unknown) =>
    as(admin, `PUT /admin/survival/title-categories/${stat}`, { title });

  it("are 24, of which all but playtime are ranked", async () => {
    const { body } = await as(admin, "GET /admin/survival/title-categories");
    const { categories } = body as { categories: { stat: string; ranked: boolean }[] };
    expect(categories[0]).toEqual(playersKilled);
    expect(categories.map(({ stat }) => stat)).toEqual(statNames);
    expect(categories.filter(({ ranked }) => !ranked).map(({ stat }) => stat)).toEqual([
      "playtime",
    ]);
    expect(categories).toHaveLength(24);
  });

  it("have the titles that staff enter, or default titles for empty texts", async () => {
    const custom = {
      ...playersKilled,
      title: "The Red Hand",
      customised: true,
      revision: anyRevision,
      updatedAt: anyTime,
      updatedBy: admin.username,
    };
    expect(statusAndBodyOf(await write("playersKilled", "[The] <Red> Hand "))).toEqual([
      200,
      { category: custom },
    ]);
    expect(statusAndBodyOf(await write("playersKilled", ""))).toEqual([
      200,
      { category: { ...custom, title: "Murderer", customised: false } },
    ]);
    expect(statusAndBodyOf(await write("playersKilled", "[<>]"))).toEqual([
      200,
      { category: { ...custom, title: "Murderer", customised: false } },
    ]);
  });

  it("keep their text out of the activity log", async () => {
    const before = await linesOf("survival.titles.category_changed");
    await write("playersKilled", "The Red Hand");
    await write("playersKilled", "");
    expect((await linesOf("survival.titles.category_changed")).slice(before.length)).toEqual([
      { detail: { stat: "playersKilled", customised: true } },
      { detail: { stat: "playersKilled", customised: false } },
    ]);
  });

  it("are a fixed set, and accept at most 32 characters from administrators only", async () => {
    for (const stat of ["nothing", "__proto__", "constructor"]) {
      expect(statusAndBodyOf(await write(stat, "x"))).toEqual([404, { error: "Unknown category" }]);
    }
    for (const title of ["x".repeat(33), null, 7, undefined]) {
      expect((await write("playersKilled", title)).status).toBe(400);
    }
    const route = "PUT /admin/survival/title-categories/playersKilled";
    expect((await as(moderator, route, { title: "x" })).status).toBe(403);
    expect((await as(moderator, "GET /admin/survival/title-categories")).status).toBe(403);
  });

  it("are sent to the servers whose title rules use them", async () => {
    await put({ mode: "all", rules: [kills(), kills({ text: "Own" })] });
    await tally([1, 5]);
    await push("titles");
    await write("playersKilled", "The Red Hand");
    await push("titles");
    expect(toldTitles()?.holders).toEqual([
      {
        steamId: steamIdOf(1),
        titles: [
          { text: "The Red Hand", color: null, stat: "playersKilled", rank: 1 },
          { text: "Own", color: null, stat: "playersKilled", rank: 1 },
        ],
      },
    ]);
    const told = timesTold();
    await write("headshots", "Eagle");
    await push("titles");
    expect(timesTold()).toBe(told);
  });
});

describe("the title rules of a server", () => {
  it("are written completely and in order, and sent to the server", async () => {
    await tally([1, 5], [2, 9]);
    const rules = [
      kills({ color: "#ff5533" }),
      kills({ topN: 3, text: "Hu[n]ter", enabled: false }),
    ];
    const stored = [
      { id: expect.any(Number), position: 1, text: null, ...kills(rules[0]), enabled: true },
      { id: expect.any(Number), position: 2, color: null, ...kills(rules[1]), text: "Hunter" },
    ];
    const pending = { state: "pending", at: null, error: null };
    expect(statusAndBodyOf(await put({ mode: "upTo", max: 2, rules }))).toEqual([
      200,
      { mode: "upTo", max: 2, rules: stored, revision: anyRevision, push: pending },
    ]);
    await push("titles");
    const holders = [held(2, { color: "#ff5533" })];
    expect(await readTitles()).toEqual({
      mode: "upTo",
      max: 2,
      rules: stored,
      revision: anyRevision,
      push: { state: "pushed", at: anyTime, error: null },
      holders,
    });
    expect(toldTitles()).toEqual({ mode: "upTo", max: 2, holders });
    expect(await ledger()).toEqual([{ what: "titles", state: "confirmed", reason: null }]);
  });

  it("order ties by time, give no title for zero, and count staff unless the server ignores them", async () => {
    await put({ mode: "first", rules: [kills({ topN: 2 })] });
    await tally([3, 0]);
    await tally([2, 4]);
    await tally([1, 4], [4, 99, true]);
    expect((await readTitles()).holders).toEqual([held(1), held(2)]);
    await tally([5, 4]);
    expect((await readTitles()).holders).toEqual([held(1), held(2)]);
    await changeSurvivalServers(server, { ignoreStaff: false });
    const { holders } = await readTitles();
    await changeSurvivalServers(server, { ignoreStaff: true });
    expect(holders).toEqual([held(2, { rank: 2 }), held(4)]);
  });

  it("apply to the current world", async () => {
    await put({ mode: "first", rules: [kills()] });
    await tally([1, 5]);
    await push("titles");
    await sayHello(Date.UTC(2026, 1, 5, 19));
    await push("titles");
    expect((await readTitles()).holders).toEqual([]);
    expect(toldTitles()).toEqual({ mode: "first", max: null, holders: [] });
  });

  it.each<[string, object]>([
    ["an unknown mode", { mode: "some", rules: [] }],
    ["no rules", { mode: "first" }],
    ["a max without upTo", { mode: "all", max: 2, rules: [] }],
    ["upTo without a max", { mode: "upTo", rules: [] }],
    ["a max of zero", { mode: "upTo", max: 0, rules: [] }],
    ["an unknown category", { mode: "all", rules: [kills({ stat: "constructor" })] }],
    ["a rule for the top 0", { mode: "all", rules: [kills({ topN: 0 })] }],
    ["a rule for the top 11", { mode: "all", rules: [kills({ topN: 11 })] }],
    ["a malformed color", { mode: "all", rules: [kills({ color: "red" })] }],
    ["a text that is too long", { mode: "all", rules: [kills({ text: "x".repeat(33) })] }],
    ["too many rules", { mode: "all", rules: Array.from({ length: 49 }, () => kills()) }],
  ])("are refused with %s, and stay unchanged", async (_what, body) => {
    await put({ mode: "first", rules: [kills()] });
    const before = await readTitles();
    expect((await put(body)).status).toBe(400);
    expect(await readTitles()).toEqual(before);
  });

  it("are those of exactly one request if several requests write at once", async () => {
    const sets = ["all", "first", "all", "first"].map((mode, at) => ({
      mode,
      rules: [kills({ topN: at + 1 }), kills({ topN: at + 2 })],
    }));
    const answers = await Promise.all(sets.map((set) => put(set)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { rules } = (await readTitles()) as unknown as { rules: { topN: number }[] };
    const [first = { topN: 0 }, second] = rules;
    expect([rules.length, second?.topN]).toEqual([2, first.topN + 1]);
  });

  it("can be changed by administrators only, and answer 404 for an unknown server", async () => {
    const route = `/admin/survival/servers/${id}/titles`;
    expect((await as(moderator, `PUT ${route}`, { mode: "all", rules: [] })).status).toBe(403);
    const nowhere = "/admin/survival/servers/2000000000/titles";
    expect((await as(admin, `GET ${nowhere}`)).status).toBe(404);
    expect((await as(admin, `PUT ${nowhere}`, { mode: "all", rules: [] })).status).toBe(404);
  });
});

describe("titles that follow the scores of players", () => {
  it("are checked by one job for all tallies of a minute", async () => {
    await tally([1, 5]);
    expect(await waiting("survival.titles")).toBe(0);
    await put({ mode: "first", rules: [kills()] });
    await tally([1, 6]);
    await tally([1, 7]);
    expect(await waiting("survival.titles")).toBe(1);
    const [job] = await jobsOf(server, "survival.titles");
    expect(Number(job?.startAfter)).toBeGreaterThan(Date.now() + 50_000);
  });

  it("are sent again only if the holder changes", async () => {
    await put({ mode: "first", rules: [kills()] });
    await tally([1, 5]);
    await push("titles");
    const told = timesTold();
    await tally([1, 6]);
    await followTallies();
    await push("titles");
    expect(timesTold()).toBe(told);
    await tally([2, 9]);
    await followTallies();
    await push("titles");
    expect([timesTold() - told, toldTitles()?.holders]).toEqual([1, [held(2)]]);
  });

  it("are sent again when the server starts or stops counting staff", async () => {
    await put({ mode: "first", rules: [kills()] });
    await tally([1, 5], [2, 9, true]);
    await push("titles");
    expect(toldTitles()?.holders).toEqual([held(1)]);
    const holdersWhere = async (ignoreStaff: boolean) => {
      await as(admin, `PUT /admin/survival/servers/${id}`, { ignoreStaff });
      await push("titles");
      return toldTitles()?.holders;
    };
    expect(await holdersWhere(false)).toEqual([held(2)]);
    expect(await holdersWhere(true)).toEqual([held(1)]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["the game is back", () => sayHello()],
    [
      "its chat plugin is loaded again",
      () => store("plugin.loaded", { name: "BetterChat", helperId: "chat" }),
    ],
  ])("are sent again when %s", async (_when, comeBack) => {
    await put({ mode: "first", rules: [kills()] });
    await push("titles");
    const told = timesTold();
    await comeBack();
    await push("titles");
    expect(timesTold() - told).toBe(1);
  });

  it("are not sent to a server without rules, and are cleared after its last rule is removed", async () => {
    const told = timesTold();
    await sayHello();
    await push("titles");
    expect(timesTold()).toBe(told);
    await put({ mode: "first", rules: [kills()] });
    await tally([1, 5]);
    await push("titles");
    await put({ mode: "first", rules: [] });
    await sayHello();
    await push("titles");
    expect(toldTitles()).toEqual({ mode: "first", max: null, holders: [] });
  });

  it("show the reason why a server does not have them", async () => {
    game.simulator.faults.trigger("helperMissing", { helper: "chat" });
    await put({ mode: "first", rules: [kills()] });
    await push("titles");
    expect((await readTitles()).push).toEqual({ state: "unsupported", at: anyTime, error: null });
    const chat = game.simulator.world.plugins.get("BetterChat");
    if (chat) chat.loaded = true;
    game.simulator.faults.trigger("status", { path: "/v1/titles", status: 500, code: "INTERNAL" });
    await sayHello();
    await push("titles");
    expect((await readTitles()).push).toEqual({
      state: "failed",
      at: anyTime,
      error: "UNAVAILABLE",
    });
    expect((await ledger()).at(-1)).toMatchObject({ state: "lost" });
  });
});

describe("the style of chat messages that the site sends", () => {
  const standard = {
    name: "Announcement",
    title: { text: "Announcement", color: "#ffaa55", size: 15, hidden: false },
    username: { color: "#ffaa55", size: 15 },
    message: { color: "#ffffff", size: 15 },
    format: { chat: "{Title}: {Message}", console: "{Title}: {Message}" },
    iconSteamId: null,
    prefix: null,
  };
  const putVoice = (body: unknown) => as(admin, "PUT /admin/survival/voice", body);
  const readVoice = () => as(admin, "GET /admin/survival/voice");

  it("is the default until an administrator writes one, and is sent to no server before that", async () => {
    expect(statusAndBodyOf(await readVoice())).toEqual([
      200,
      { voice: { ...standard, revision: anyRevision, updatedAt: null, updatedBy: null } },
    ]);
    await push("voice");
    expect(game.simulator.world.voice).toBeNull();
  });

  it("is written completely, sent to every server, and sent again after a hello", async () => {
    const change = {
      name: "[Guild]",
      title: { text: "Guildhall", size: 20 },
      format: { chat: "{Title} {Username} ({Time}): {Message}" },
      iconSteamId: steamIdOf(1),
      unknown: { a: 1 },
    };
    const voice = {
      ...standard,
      name: "Guild",
      title: { ...standard.title, text: "Guildhall", size: 20 },
      format: { ...standard.format, chat: change.format.chat },
      iconSteamId: steamIdOf(1),
    };
    const answered = {
      voice: { ...voice, revision: anyRevision, updatedAt: anyTime, updatedBy: admin.username },
    };
    expect(statusAndBodyOf(await putVoice(change))).toEqual([200, answered]);
    expect(statusAndBodyOf(await readVoice())).toEqual([200, answered]);
    await push("voice");
    expect(game.simulator.world.voice).toEqual(voice);
    const entered = (await ledger()).filter(({ what }) => what === "voice");
    expect(entered).toEqual([{ what: "voice", state: "confirmed", reason: null }]);
    game.simulator.world.voice = null;
    await sayHello();
    await push("voice");
    expect(game.simulator.world.voice).toEqual(voice);
    expect(statusAndBodyOf(await putVoice({}))).toEqual([
      200,
      {
        voice: {
          ...standard,
          revision: anyRevision,
          updatedAt: anyTime,
          updatedBy: admin.username,
        },
      },
    ]);
  });

  it("is logged with the names of its changed parts, and without their values", async () => {
    await putVoice({});
    const before = await linesOf("survival.voice.changed");
    const change = { name: "Canary", title: { text: "A canary" }, message: standard.message };
    for (const body of [change, change, {}]) await putVoice(body);
    expect((await linesOf("survival.voice.changed")).slice(before.length)).toEqual([
      { detail: { fields: ["name", "title"] } },
      { detail: { fields: [] } },
      { detail: { fields: ["name", "title"] } },
    ]);
  });

  it.each<[string, object]>([
    ["a malformed color", { message: { color: "#fff" } }],
    ["a size that is too small", { title: { size: 7 } }],
    ["a size that is too large", { username: { size: 33 } }],
    ["a format without the message", { format: { chat: "{Title}" } }],
    ["an unknown token", { format: { chat: "{Message} {Password}" } }],
    ["markup in a format", { format: { console: "<size=90>{Message}" } }],
    ["an open brace", { format: { chat: "{Message} {" } }],
    ["a format that is too long", { format: { chat: `{Message}${"x".repeat(128)}` } }],
    ["an icon that is not a Steam account", { iconSteamId: "7" }],
    ["a malformed name", { name: 7 }],
    ["an unknown part", { title: "Guildhall" }],
  ])("is refused with %s, and stays unchanged", async (_what, body) => {
    const before = statusAndBodyOf(await readVoice());
    expect((await putVoice(body)).status).toBe(400);
    expect(statusAndBodyOf(await readVoice())).toEqual(before);
  });

  it("is refused with an error that names the parts that a format must contain or may contain", async () => {
    const format = { chat: "{Title}", console: "{Message} {Password}" };
    expect(statusAndBodyOf(await putVoice({ format }))).toEqual([
      400,
      {
        error: "Validation failed",
        errors: [
          { path: "format.chat", message: "format.chat must hold {Message}" },
          {
            path: "format.console",
            message:
              "format.console may hold {Title}, {Username}, {Message}, {ID}, {Time}, {Date} and plain text",
          },
        ],
      },
    ]);
  });

  it("is open to administrators only", async () => {
    expect((await as(moderator, "GET /admin/survival/voice")).status).toBe(403);
    expect((await as(moderator, "PUT /admin/survival/voice", {})).status).toBe(403);
  });
});
