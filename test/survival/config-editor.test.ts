import { randomUUID } from "node:crypto";

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { expireConfigWritesJob } from "../../jobs/survival/settle-writes.job.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { limits } from "../../shared/platform/limits.ts";
import { configHash, maxConfigBytes } from "../../shared/survival/config/plugin-files.ts";
import { normalizeConfigText } from "../simulator/survival/world/config-text.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { jobsOf } from "../support/database/stored-jobs.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { activityOf } from "../support/factories/site.ts";
import { buildSurvivalServer, endConfigWait } from "../support/factories/survival.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { waitUntilLockWaits } from "../support/races/overtake.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startSurvivalGame, type SurvivalGameSite } from "../support/survival/survival-game.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";

let server: TestServer;
let admin: SignedIn;
let game: SurvivalGameSite;
/** The configuration of the plugin Kits before the tests. */
let before: string;

beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
  game = await startSurvivalGame(server);
  before = configOf("Kits");
});
afterAll(async () => {
  await game.simulator.stop();
  await server.stop();
});
beforeEach(async () => {
  await deleteAll(server, "SurvivalConfigWrite", "SurvivalLedgerEntry");
  setConfig("Kits", before);
});
afterEach(() => game.simulator.faults.clear());

function configOf(plugin: string): string {
  const text = game.simulator.world.plugins.get(plugin)?.config;
  if (typeof text !== "string") throw new Error(`${plugin} has no configuration`);
  return text;
}

function setConfig(plugin: string, text: string): void {
  const found = game.simulator.world.plugins.get(plugin);
  if (found) found.config = text;
}

/** A secret in the configuration of Kits. */
const secret = "https://discord.example/api/webhooks/1/canary-webhook-token";

const at = (path: string) => `/admin/survival/config/${game.server.id}${path}`;
const asAdmin = (route: string, body?: unknown, headers: Record<string, string> = {}) =>
  callRoute(server, route, { body, headers: { ...admin.headers, ...headers } });

const put = (body: unknown, headers?: Record<string, string>, plugin = "Kits") =>
  asAdmin(`PUT ${at(`/files/${plugin}`)}`, body, headers);

interface Accepted {
  readonly writeId: string;
}

/** Returns a change that is based on the present configuration of Kits. */
const change = (given: object = {}) => ({
  text: '{ "Use UI": false }',
  baseHash: configHash(configOf("Kits")),
  ...given,
});

async function write(given: object = {}): Promise<string> {
  const { status, body } = await put(change(given));
  expect(status).toBe(202);
  return (body as Accepted).writeId;
}

const readWrite = (writeId: string) => asAdmin(`GET ${at(`/writes/${writeId}`)}`);
const viewOf = async (writeId: string) =>
  ((await readWrite(writeId)).body as { write: Record<string, unknown> }).write;

const view = (writeId: string, given: object) => ({
  writeId,
  serverId: game.server.id,
  plugin: "Kits",
  file: "oxide/config/Kits.json",
  state: "reloading",
  outcome: null,
  createdAt: anyTime,
  createdBy: admin.username,
  settleBy: anyTime,
  settledAt: null,
  beforeHash: configHash(before),
  writtenHash: configHash('{ "Use UI": false }'),
  afterHash: null,
  message: null,
  logTail: [],
  rollbackOf: null,
  lateOutcome: null,
  ...given,
});

const ledger = () => {
  const { SurvivalLedgerEntry } = server.context.models;
  return storedRows(SurvivalLedgerEntry, ["ref", "state", "reason"], { what: "config" });
};
const countWrites = () => server.context.models.SurvivalConfigWrite.count();
const logged = async (writeId: string) =>
  (await activityOf(server, { targetId: writeId }, ["action", "detail"]))[0];

const passTime = (writeId: string) => endConfigWait(server, writeId);

const tellOutcome = async (writeId: string, given: object = {}) => {
  game.simulator.emit("config.outcome", {
    writeId,
    plugin: "Kits",
    ok: true,
    phase: "load",
    beforeHash: configHash(before),
    afterHash: configHash(configOf("Kits")),
    rolledBack: false,
    logTail: [],
    ...given,
  });
  await game.hear();
};

const commands = () => game.calls().filter((line) => line.startsWith("PUT /v1/config"));

describe("the configurations of a survival server", () => {
  it("are listed, each with the problem that prevents editing it", async () => {
    setConfig("Vanish", `"${"x".repeat(maxConfigBytes)}"`);
    const { status, body } = await asAdmin(`GET ${at("")}`);
    setConfig("Vanish", "{}");
    const { files, online } = body as { files: { plugin: string }[]; online: boolean };
    expect([status, online]).toEqual([200, true]);
    expect(files.filter(({ plugin }) => ["Kits", "Vanish"].includes(plugin))).toEqual([
      {
        plugin: "Kits",
        file: "oxide/config/Kits.json",
        loaded: true,
        version: "3.1.7",
        bytes: Buffer.byteLength(before),
        hash: configHash(before),
        modifiedAt: anyTime,
        editable: true,
        problem: null,
      },
      expect.objectContaining({ plugin: "Vanish", editable: false, problem: "too-large" }),
    ]);
    expect(files.map(({ plugin }) => plugin)).not.toContain("NativeClans");
  });

  it("are an empty list while the server is off", async () => {
    game.simulator.faults.trigger("status", {
      path: "/v1/config",
      status: 503,
      code: "SHARD_DOWN",
    });
    expect(statusAndBodyOf(await asAdmin(`GET ${at("")}`))).toEqual([
      200,
      { files: [], online: false },
    ]);
  });

  it("are read with their secrets masked and every other byte unchanged", async () => {
    expect(statusAndBodyOf(await asAdmin(`GET ${at("/files/Kits")}`))).toEqual([
      200,
      {
        document: {
          plugin: "Kits",
          file: "oxide/config/Kits.json",
          text: before.replace(secret, "********"),
          hash: configHash(before),
          readAt: anyTime,
          loaded: true,
          secretsMasked: ["/Discord webhook"],
        },
      },
    ]);
    const { text } = await asAdmin(`GET ${at("/files/PlaytimeTracker")}`);
    expect(text).not.toContain("canary");
    expect(text).toContain("18446744073709551615");
  });

  it.each<[string, string, number, object]>([
    [
      "an unknown plugin",
      "/files/Nobody",
      404,
      { error: "The game server does not know the object" },
    ],
    [
      "a plugin without a configuration",
      "/files/MapRender",
      404,
      { error: "The game server does not know the object" },
    ],
    [
      "a name that leads to another folder",
      "/files/..%2F..%2Fserver",
      400,
      { error: "Validation failed", errors: [expect.objectContaining({ path: "plugin" })] },
    ],
    [
      "a name with a file extension",
      "/files/Kits.json",
      400,
      { error: "Validation failed", errors: [expect.objectContaining({ path: "plugin" })] },
    ],
  ])("are refused for %s", async (_what, path, status, body) => {
    expect(statusAndBodyOf(await asAdmin(`GET ${at(path)}`))).toEqual([status, body]);
  });

  it.each<[string, string, object]>([
    [
      "not JSON, so that its secrets cannot be identified",
      '{ "Api key": "canary',
      {
        error: "The file is not JSON that its plugin can read: unexpected end of string",
        line: 1,
        column: 14,
      },
    ],
    [
      "larger than 1 MiB",
      `"${"x".repeat(maxConfigBytes)}"`,
      { error: "The file is larger than 1 MiB" },
    ],
    [
      "JSON with a key twice, so that its secrets cannot be told apart",
      '{\n "Api key": "canary",\n "Api key": ["canary"]}',
      {
        error: "The file contains a key twice, so the site cannot tell its secrets apart",
        line: 3,
        column: 2,
      },
    ],
  ])("are answered 409 if the file is %s", async (_how, text, body) => {
    setConfig("Kits", text);
    expect(statusAndBodyOf(await asAdmin(`GET ${at("/files/Kits")}`))).toEqual([409, body]);
  });

  it("are open to administrators only, and answer 404 for an unknown server", async () => {
    const moderator = await signIn(server, { role: "moderator" });
    const { headers } = moderator;
    const id = randomUUID();
    const routes = ["", "/files/Kits", "/writes", `/writes/${id}`].map((path) => `GET ${at(path)}`);
    routes.push(`PUT ${at("/files/Kits")}`, `POST ${at(`/writes/${id}/rollback`)}`);
    for (const route of routes) {
      const body = route.startsWith("PUT") ? change() : undefined;
      expect([route, (await callRoute(server, route, { headers, body })).status]).toEqual([
        route,
        403,
      ]);
      const elsewhere = route.replace(`config/${game.server.id}`, "config/2000000000");
      expect([route, (await asAdmin(elsewhere, body)).status]).toEqual([route, 404]);
    }
  });
});

describe("a configuration write", () => {
  it("is sent with the secrets restored, and ends with the outcome that its plugin reports", async () => {
    const shown = (await asAdmin(`GET ${at("/files/Kits")}`)).body as {
      document: { text: string; hash: string };
    };
    const { text, hash } = shown.document;
    const edited = text.replace('"Use UI": true', '"Use UI": false');
    const accepted = await put({ text: edited, baseHash: hash });
    expect(statusAndBodyOf(accepted)).toEqual([
      202,
      { writeId: expect.any(String), state: "reloading", settleBy: anyTime },
    ]);
    const { writeId } = accepted.body as Accepted;
    const written = before.replace('"Use UI": true', '"Use UI": false');
    expect(game.simulator.deeds.of("config.written").find(({ ref }) => ref === writeId)).toEqual(
      expect.objectContaining({ key: writeId, times: 1 }),
    );
    const settleBy = Date.parse((accepted.body as { settleBy: string }).settleBy);
    const { createdAt } = await viewOf(writeId);
    expect(settleBy - Date.parse(String(createdAt))).toBeGreaterThanOrEqual(60_000);
    expect(await logged(writeId)).toEqual({
      action: "survival.config.written",
      detail: { serverId: game.server.id, plugin: "Kits", outcome: "sent" },
    });
    expect(await ledger()).toEqual([{ ref: writeId, state: "pushed", reason: null }]);

    await game.hear();
    expect(statusAndBodyOf(await readWrite(writeId))).toEqual([
      200,
      {
        write: view(writeId, {
          state: "settled",
          outcome: "ok",
          settledAt: anyTime,
          writtenHash: configHash(written),
          afterHash: configHash(normalizeConfigText(written)),
          logTail: [
            "> oxide.reload Kits",
            "Unloaded plugin Kits v3.1.7 by k1lly0u",
            expect.stringMatching(/^\[Kits\] connecting with/),
            "Loaded plugin Kits v3.1.7 by k1lly0u",
          ],
        }),
      },
    ]);
    expect(configOf("Kits")).toBe(normalizeConfigText(written));
    expect(await ledger()).toEqual([{ ref: writeId, state: "confirmed", reason: null }]);
  });

  it("shows no secret in its log lines or in the stored event", async () => {
    const writeId = await write();
    const said = [`key is ${secret}!`];
    await tellOutcome(writeId, { ok: false, logTail: said, message: said[0] });
    // The game has already reported an outcome, so the outcome with the secret changes nothing.
    const { logTail } = await viewOf(writeId);
    const another = await write({ text: '{ "Api key": "canary-new" }' });
    setConfig("Kits", before);
    expect(JSON.stringify([logTail, await viewOf(another)])).not.toContain("canary");
    const told = { kind: "config.outcome" };
    const events = await storedRows(server.context.models.SurvivalEvent, ["payload"], told);
    expect(events.length).toBeGreaterThan(0);
    expect(JSON.stringify(events)).not.toMatch(/canary|logTail|message/);
  });

  it("shows no secret that an earlier write replaced without a reload of the plugin", async () => {
    setConfig("Kits", '{ "Api key": "canary-first-key" }');
    const unloaded = await write({ text: '{ "Api key": "second" }', reload: false });
    await game.hear();
    expect(await viewOf(unloaded)).toMatchObject({ state: "settled" });
    game.simulator.faults.trigger("configOutcome", { mode: "missing", ms: 0, times: 1 });
    const writeId = await write({ text: '{ "Api key": "third" }' });
    await tellOutcome(writeId, { logTail: ["closing the session of canary-first-key"] });
    expect(await viewOf(writeId)).toMatchObject({ logTail: ["closing the session of ********"] });
  });

  it("keeps the last lines of a long plugin log, shortened at their ends, and no part of a secret", async () => {
    game.simulator.faults.trigger("configOutcome", { mode: "missing", ms: 0, times: 1 });
    const writeId = await write();
    const { lines, line, message } = limits.logTail;
    const long = `${"x".repeat(line - 10)}${secret}`;
    const logTail = ["first", ...Array.from({ length: lines - 1 }, () => "more"), long];
    await tellOutcome(writeId, { ok: false, message: "m".repeat(message + 1), logTail });
    expect(await viewOf(writeId)).toMatchObject({
      state: "settled",
      outcome: "failed",
      message: "m".repeat(message),
      logTail: [...logTail.slice(1, -1), `${"x".repeat(line - 10)}********`],
    });
  });

  it("is reported as rolled back if its plugin cannot load", async () => {
    const text = '{ "FailOnLoad": true, "Api key": "canary-api-key" }';
    const writeId = await write({ text });
    await game.hear();
    expect(await viewOf(writeId)).toEqual(
      view(writeId, {
        state: "settled",
        outcome: "rolled-back",
        settledAt: anyTime,
        writtenHash: configHash(text),
        afterHash: configHash(before),
        message: "Object reference not set to an instance of an object",
        logTail: [
          "> oxide.reload Kits",
          "Unloaded plugin Kits v3.1.7 by k1lly0u",
          "[Kits] connecting with ********",
          expect.stringMatching(/^Failed to load Kits/),
        ],
      }),
    );
    expect(configOf("Kits")).toBe(before);
    expect(await ledger()).toEqual([{ ref: writeId, state: "failed", reason: "rolled-back" }]);
  });

  it("is reported as failed if its plugin failed and the file was not rolled back", async () => {
    game.simulator.faults.trigger("configOutcome", { mode: "missing", ms: 0, times: 1 });
    const writeId = await write();
    await tellOutcome(writeId, { ok: false, message: "no" });
    expect(await viewOf(writeId)).toMatchObject({
      state: "settled",
      outcome: "failed",
      message: "no",
    });
    expect(await ledger()).toEqual([{ ref: writeId, state: "failed", reason: "failed" }]);
  });

  it("stays lost if no outcome arrives in time, and a late outcome is stored separately", async () => {
    game.simulator.faults.trigger("configOutcome", { mode: "missing", ms: 0, times: 1 });
    const writeId = await write();
    await passTime(writeId);
    expect(await viewOf(writeId)).toEqual(view(writeId, { state: "lost" }));
    await expireConfigWritesJob.run({}, server.context, {
      jobId: randomUUID(),
      signal: new AbortController().signal,
    });
    const { SurvivalConfigWrite } = server.context.models;
    expect(await storedRows(SurvivalConfigWrite, ["state"])).toEqual([{ state: "lost" }]);
    expect(await ledger()).toEqual([{ ref: writeId, state: "lost", reason: "timeout" }]);

    await tellOutcome(writeId, { message: "loaded", logTail: [`at ${secret}`] });
    const late = view(writeId, {
      state: "lost",
      afterHash: configHash(configOf("Kits")),
      lateOutcome: {
        ok: true,
        at: anyTime,
        message: "loaded",
        logTail: ["at ********"],
      },
    });
    expect(await viewOf(writeId)).toEqual(late);
    await tellOutcome(writeId, { ok: false });
    expect(await viewOf(writeId)).toEqual(late);
    expect(await ledger()).toEqual([{ ref: writeId, state: "lost", reason: "timeout" }]);
  });

  it("is marked as lost in the ledger too, even if a late outcome arrives before the timeout job runs", async () => {
    game.simulator.faults.trigger("configOutcome", { mode: "missing", ms: 0, times: 1 });
    const writeId = await write();
    await passTime(writeId);
    await tellOutcome(writeId);
    expect(await viewOf(writeId)).toMatchObject({ state: "lost", outcome: null });
    expect(await ledger()).toEqual([{ ref: writeId, state: "lost", reason: "timeout" }]);
  });

  it("has a job that runs at its deadline", async () => {
    const writeId = await write();
    const { SurvivalConfigWrite } = server.context.models;
    const [stored] = await storedRows(SurvivalConfigWrite, ["settleBy"], { writeId });
    const job = (await jobsOf(server, "survival.settle-writes")).at(-1);
    const earliest = Number(stored?.settleBy) - 1_000;
    expect(Number(job?.startAfter)).toBeGreaterThanOrEqual(earliest);
  });

  it("ignores an outcome of another server or with an unknown id", async () => {
    game.simulator.faults.trigger("configOutcome", { mode: "missing", ms: 0, times: 1 });
    const writeId = await write();
    const elsewhere = await buildSurvivalServer(server);
    const told = { writeId, plugin: "Kits", ok: true, phase: "load" };
    await storeSurvivalFrames(server.context, elsewhere.id, [
      survivalFrame("config.outcome", told),
    ]);
    for (const other of ["not a uuid", "", randomUUID()]) await tellOutcome(other);
    expect(await viewOf(writeId)).toMatchObject({ state: "reloading", outcome: null });
  });

  it("is found only by a plain UUID, and an id in brackets or with colons is answered 400", async () => {
    const id = randomUUID();
    for (const written of [`{${id}}`, `[${id}]`, `(${id})`, id.replaceAll("-", ":")]) {
      const address = `/writes/${encodeURIComponent(written)}`;
      for (const route of [`GET ${at(address)}`, `POST ${at(`${address}/rollback`)}`]) {
        const { status, body } = await asAdmin(route);
        expect([status, body]).toMatchObject([400, { errors: [{ path: "writeId" }] }]);
      }
    }
    expect((await readWrite(id.toUpperCase())).status).toBe(404);
  });

  it("stays stored if its answer was lost, because the game may have executed the write", async () => {
    game.simulator.faults.trigger("cut", { method: "PUT", path: "/v1/config/Kits", bytes: 0 });
    const writeId = await write();
    await game.hear();
    expect(await viewOf(writeId)).toMatchObject({ state: "settled", outcome: "ok" });
  });

  it("makes the file that its plugin rewrote the base of the next write", async () => {
    const text = "{ /* gone when it is loaded */ }";
    const writeId = await write({ text });
    await game.hear();
    const { afterHash, writtenHash } = await viewOf(writeId);
    expect(statusAndBodyOf(await put({ text: "{}", baseHash: writtenHash }))).toEqual([
      409,
      {
        error: "The file has changed since you read it: read it again",
        currentHash: afterHash,
      },
    ]);
    expect((await put({ text: "{}", baseHash: afterHash })).status).toBe(202);
  });
});

describe("a configuration write that cannot be accepted", () => {
  const refused = async (body: unknown, headers?: Record<string, string>) => {
    const sent = commands().length;
    const answered = await put(body, headers);
    expect([commands().length - sent, await countWrites()]).toEqual([0, 0]);
    return statusAndBodyOf(answered);
  };

  it("is refused and not sent if its text is not JSON", async () => {
    expect(await refused(change({ text: '{\n  "a": 1,,\n}' }))).toEqual([
      400,
      { error: expect.stringContaining("(line 2, column"), line: 2, column: expect.any(Number) },
    ]);
  });

  it("is refused and not sent if it contains a mask that stands for no secret", async () => {
    const text = '{ "Api key": "********", "Discord webhook": "********" }';
    expect(await refused(change({ text }))).toEqual([
      400,
      {
        error: "Validation failed",
        errors: [
          { path: "text", message: "the mask at /Api key does not stand for a secret of the file" },
        ],
      },
    ]);
  });

  it("is refused and not sent if it repeats a key in one object, with or without masks", async () => {
    for (const value of ['"********"', '["********"]', "1"]) {
      const text = `{ "Chat": { "Discord webhook": "********", "Discord\\u0020webhook": ${value} } }`;
      expect(await refused(change({ text }))).toEqual([
        400,
        {
          error: "Validation failed",
          errors: [{ path: "text", message: "the key at /Chat/Discord webhook occurs twice" }],
        },
      ]);
    }
  });

  it("is refused, without showing the key, if two masks in one object stand for one key", async () => {
    setConfig("Kits", `{ "A": { "${secret}": 1 }, "B": { "${secret}": 2 } }`);
    const text = '{ "A": { "********#1": 1, "********#2": 2 }, "B": {} }';
    const message = "the key at /A/********#2 occurs twice";
    expect(await refused(change({ text }))).toEqual([
      400,
      { error: "Validation failed", errors: [{ path: "text", message }] },
    ]);
  });

  it("is refused and not sent if a mask would put its secret where it is visible", async () => {
    setConfig("Kits", '{ "Api key": "canary-api-key", "Motd": "say canary-api-key" }');
    const text = '{ "Api key": "new", "Motd": "********" }';
    expect(await refused(change({ text }))).toEqual([
      400,
      {
        error: "Validation failed",
        errors: [
          {
            path: "text",
            message: "the mask at /Motd stands for a secret that would be visible there",
          },
        ],
      },
    ]);
  });

  it("is refused and not sent if its text exceeds 1 MiB in UTF-8, and accepted at exactly 1 MiB", async () => {
    const error = "A configuration has at most 1 MiB in UTF-8";
    const text = `"${"é".repeat(maxConfigBytes / 2)}"`;
    expect(await refused(change({ text }))).toEqual([413, { error }]);
    const huge = await put(change({ text: "x".repeat(2 * 1024 * 1024) }));
    expect(statusAndBodyOf(huge)).toEqual([413, { error: "Request body is too large" }]);
    const quotes = '\\"'.repeat(100_000);
    const most = `"${quotes}${"x".repeat(maxConfigBytes - 2 - quotes.length)}"`;
    expect((await put(change({ text: most }))).status).toBe(202);
  });

  it.each<[string, object]>([
    ["no text", { text: undefined }],
    ["a text that is not a string", { text: { a: 1 } }],
    ["no base hash", { baseHash: undefined }],
    ["a malformed reload option", { reload: "yes" }],
  ])("is refused and not sent if it has %s", async (_what, given) => {
    const [status] = await refused(change(given));
    expect(status).toBe(400);
  });

  it("is refused and not sent if the file has changed since it was read", async () => {
    expect(await refused(change({ baseHash: configHash("{}") }))).toEqual([
      409,
      {
        error: "The file has changed since you read it: read it again",
        currentHash: configHash(before),
      },
    ]);
  });

  it("is refused and not sent if the plugin is unknown", async () => {
    expect(statusAndBodyOf(await put(change(), {}, "Nobody"))).toEqual([
      404,
      { error: "The game server does not know the object" },
    ]);
    expect(await countWrites()).toBe(0);
  });

  it("is refused and not sent if the server is off or disabled", async () => {
    game.simulator.faults.trigger("status", {
      path: "/v1/config/Kits",
      status: 503,
      code: "SHARD_DOWN",
    });
    expect((await refused(change()))[0]).toBe(503);
    await game.server.update({ enabled: false });
    const [status] = await refused(change());
    await game.server.update({ enabled: true });
    expect(status).toBe(503);
  });

  it("is refused and not sent if the plugin reported that it cannot edit configurations", async () => {
    game.simulator.faults.trigger("incapable", { capabilities: ["config"] });
    await game.hear();
    const asked = game.calls().length;
    expect((await refused(change()))[0]).toBe(502);
    expect((await asAdmin(`GET ${at("/files/Kits")}`)).status).toBe(502);
    expect(game.calls().length).toBe(asked);
    game.simulator.faults.trigger("incapable", { capabilities: [] });
    await game.hear();
  });
});

describe("a configuration write that the game server refuses", () => {
  it.each<[string, number, number, object]>([
    [
      "CONFLICT",
      409,
      409,
      {
        error: "The file has changed since you read it: read it again",
        currentHash: expect.any(String),
      },
    ],
    ["PROTECTED", 403, 403, { error: "The game server protects this file" }],
    ["NOT_FOUND", 404, 404, { error: "The game server does not know the object" }],
    ["SHARD_DOWN", 503, 503, { error: "The game server cannot be reached" }],
  ])(
    "is not stored after the error %s, but the ledger and the activity log record the attempt",
    async (code, given, status, body) => {
      game.simulator.faults.trigger("status", {
        method: "PUT",
        path: "/v1/config/Kits",
        status: given,
        code,
      });
      expect(statusAndBodyOf(await put(change()))).toEqual([status, body]);
      expect(await countWrites()).toBe(0);
      expect(await ledger()).toEqual([{ ref: expect.any(String), state: "failed", reason: code }]);
      const [{ ref } = { ref: "" }] = (await ledger()) as { ref: string }[];
      expect((await logged(ref))?.["detail"]).toMatchObject({ outcome: code });
    },
  );
});

describe("concurrent configuration writes", () => {
  it("send one file only once, and answer 409 to the others", async () => {
    const written = game.simulator.deeds.of("config.written").length;
    const body = change();
    const answers = await Promise.all(Array.from({ length: 8 }, () => put(body)));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      202,
      ...Array.from({ length: 7 }, () => 409),
    ]);
    expect(await countWrites()).toBe(1);
    expect(game.simulator.deeds.of("config.written").length - written).toBe(1);
  });

  it("answer 409 for the same file until the first write is settled or lost", async () => {
    game.simulator.faults.trigger("configOutcome", { mode: "missing", ms: 0, times: 1 });
    const writeId = await write();
    const next = () => put(change({ text: "{}" }));
    expect(statusAndBodyOf(await next())).toEqual([
      409,
      {
        error: "The result of another write of this file is still pending",
        currentHash: configHash(configOf("Kits")),
      },
    ]);
    await passTime(writeId);
    expect((await next()).status).toBe(202);
    expect(await viewOf(writeId)).toMatchObject({ state: "lost" });
  });

  it("are one write if they have one idempotency key, and a different text is answered 409", async () => {
    const key = { "idempotency-key": randomUUID() };
    const body = change();
    const answers = await Promise.all(Array.from({ length: 4 }, () => put(body, key)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    const ids = new Set(answers.map((answered) => (answered.body as Accepted).writeId));
    expect(ids.size).toBe(1);
    await game.hear();
    expect(statusAndBodyOf(await put(body, key))).toEqual([
      202,
      { writeId: [...ids][0], state: "settled", settleBy: anyTime },
    ]);
    expect(statusAndBodyOf(await put({ ...body, text: "{}" }, key))).toEqual([
      409,
      { error: "The idempotency key was used for another configuration write" },
    ]);
    expect(await countWrites()).toBe(1);
  });
});

describe("rolling back a configuration write", () => {
  const rollBack = (writeId: string) => asAdmin(`POST ${at(`/writes/${writeId}/rollback`)}`);

  it("writes the text that the file had before", async () => {
    const writeId = await write();
    expect(statusAndBodyOf(await rollBack(writeId))).toEqual([
      409,
      { error: "The result of the write is still pending" },
    ]);
    await game.hear();
    const taken = await rollBack(writeId);
    expect(statusAndBodyOf(taken)).toEqual([
      202,
      { writeId: expect.any(String), state: "reloading", settleBy: anyTime },
    ]);
    const back = (taken.body as Accepted).writeId;
    await game.hear();
    expect(await viewOf(back)).toMatchObject({
      state: "settled",
      outcome: "ok",
      writtenHash: configHash(before),
      rollbackOf: writeId,
    });
    expect(configOf("Kits")).toBe(normalizeConfigText(before));
    expect((await logged(back))?.["action"]).toBe("survival.config.rolled_back");
    expect((await rollBack(writeId)).status).toBe(409);
  });

  it("is refused if the file has changed since, or already has its former text", async () => {
    const writeId = await write();
    await game.hear();
    setConfig("Kits", "{}");
    expect(statusAndBodyOf(await rollBack(writeId))).toEqual([
      409,
      {
        error: "The file has changed since you read it: read it again",
        currentHash: configHash("{}"),
      },
    ]);
    setConfig("Kits", before);
    expect(statusAndBodyOf(await rollBack(writeId))).toEqual([
      409,
      {
        error: "The file already has the contents from before the write",
        currentHash: configHash(before),
      },
    ]);
  });

  it("is possible for a lost write if the file contains the text of the write", async () => {
    game.simulator.faults.trigger("configOutcome", { mode: "missing", ms: 0, times: 1 });
    const writeId = await write();
    await passTime(writeId);
    expect((await rollBack(writeId)).status).toBe(202);
    await game.hear();
    expect(configOf("Kits")).toBe(normalizeConfigText(before));
  });

  it("is possible only for the newest 20 writes of a server", async () => {
    const ids: string[] = [];
    for (let made = 0; made < 21; made += 1) {
      ids.push(await write({ text: `{ "made": ${made} }` }));
      await game.hear();
    }
    const [first = "", second = ""] = ids;
    setConfig("Kits", '{ "made": 0 }');
    expect(statusAndBodyOf(await rollBack(first))).toEqual([
      409,
      { error: "The site no longer stores the contents of the file before the write" },
    ]);
    setConfig("Kits", '{ "made": 1 }');
    expect((await rollBack(second)).status).toBe(202);
    expect(configOf("Kits")).toBe('{ "made": 0 }');
  });

  it("answers 404 for a write of another server", async () => {
    const writeId = await write();
    await game.hear();
    const { id } = await buildSurvivalServer(server);
    await server.context.models.SurvivalConfigWrite.update(
      { serverId: id },
      { where: { writeId } },
    );
    expect((await rollBack(writeId)).status).toBe(404);
    expect(statusAndBodyOf(await readWrite(writeId))).toEqual([404, { error: "Unknown write" }]);
    expect((await readWrite("7")).status).toBe(400);
  });
});

describe("a server that is deleted while a configuration is written", () => {
  it("answers 404, and its game receives nothing", async () => {
    const another = await startSurvivalGame(server);
    const { id } = another.server;
    const text = another.simulator.world.plugins.get("Kits")?.config ?? "";
    const body = { text: "{}", baseHash: configHash(text) };
    const asked = await inTransaction(server.context.sequelize, async (transaction) => {
      await another.server.destroy({ transaction });
      const written = asAdmin(`PUT /admin/survival/config/${id}/files/Kits`, body);
      await waitUntilLockWaits(server);
      return { written };
    });
    expect(statusAndBodyOf(await asked.written)).toEqual([404, { error: "Unknown server" }]);
    expect(another.simulator.deeds.of("config.written")).toEqual([]);
    await another.simulator.stop();
  });
});

describe("the configuration writes of a server", () => {
  it("are listed newest first, in pages, and can be filtered by plugin", async () => {
    const first = await write();
    await game.hear();
    const baseHash = configHash(configOf("Vanish"));
    const other = (await put({ text: "{}", baseHash }, {}, "Vanish")).body as Accepted;
    await game.hear();
    const page = async (search: string) => {
      const { body } = await asAdmin(`GET ${at(`/writes${search}`)}`);
      const { writes, next } = body as { writes: Accepted[]; next?: number };
      return { ids: writes.map(({ writeId }) => writeId), next };
    };
    expect(await page("")).toEqual({ ids: [other.writeId, first], next: undefined });
    const { ids, next } = await page("?limit=1");
    expect(ids).toEqual([other.writeId]);
    expect(await page(`?limit=1&before=${next}`)).toEqual({ ids: [first], next: undefined });
    expect(await page("?plugin=Kits")).toEqual({ ids: [first], next: undefined });
    expect((await asAdmin(`GET ${at("/writes?plugin=a.b")}`)).status).toBe(400);
  });
});
