import { randomUUID } from "node:crypto";
import { request } from "node:http";

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { sourceNameOf } from "../../shared/survival/server-locks.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { callRoute, statusAndBodyOf, retryAfter } from "../support/http/call.ts";
import { buildPluginKey } from "../support/plugin/plugin-key.ts";
import { usePluginTestSite } from "../support/plugin/plugin-site.ts";
import { type TakenCommand, TestPlugin } from "../support/plugin/test-plugin.ts";
import { itInLongLane } from "../support/runner/lane.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const site = usePluginTestSite({ saysHello: true });
let second: TestServer;

beforeAll(async () => {
  second = await startTestServer({ database: site.server.database });
});
beforeEach(() => second.context.shard.reload());
afterAll(() => second.stop());

const refused = (status: number, code: string) => [status, { error: expect.any(String), code }];

/** Sends a broadcast as an administrator. By default the idempotency key is a new one. */
const broadcast = (text: string, key: string = randomUUID(), by: TestServer = site.server) =>
  callRoute(by, "POST /admin/shard/broadcast", {
    headers: { ...site.admin.headers, "idempotency-key": key },
    body: { text },
  });

/** Sends a broadcast and does not wait for the answer. */
const ask = (text: string, key?: string) => void broadcast(text, key).catch(() => undefined);

const states = async () =>
  (
    await query<{ state: string }>(site.server, "select state from plugin_commands order by number")
  ).map(({ state }) => state);

const waitIsOpen = () =>
  waitUntil("a wait is open", async () => {
    const [row] = await query<{ id: string | null }>(
      site.server,
      "select wait_id as id from plugin_sessions",
    );
    return row?.id !== null;
  });

describe("a command to a plugin", () => {
  it("is delivered with its actor, and its caller gets the plugin's outcome", async () => {
    const served = site.plugin.serve(200, { ok: true });
    expect(statusAndBodyOf(await broadcast("The gate opens"))).toEqual([200, { ok: true }]);
    expect(await served).toEqual({
      id: expect.any(String),
      call: "POST /v1/broadcast",
      params: {},
      query: {},
      body: { text: "The gate opens" },
      actor: { userId: site.admin.userId, username: site.admin.username, role: "admin" },
      key: expect.any(String),
      timeoutMs: expect.any(Number),
    });
    expect((await site.plugin.wait(0)).body).toEqual({ commands: [] });
    expect(await states()).toEqual(["answered"]);
  });

  it("is stored without its body once the plugin has taken it, since the body may contain a password", async () => {
    ask("The gate opens");
    const [taken] = await site.plugin.take();
    expect(taken?.body).toEqual({ text: "The gate opens" });
    expect(await query(site.server, "select input from plugin_commands")).toEqual([{ input: {} }]);
    await site.plugin.answer(taken?.id ?? "", 200, { ok: true });
    expect(await query(site.server, "select input from plugin_commands")).toEqual([{ input: {} }]);
  });

  it("has no actor and no idempotency key if it only reads, and is deleted once it is answered", async () => {
    const served = site.plugin.serve(200, { entries: [] });
    const answer = await callRoute(site.server, "GET /admin/shardlink/towncrier", site.admin);
    expect(statusAndBodyOf(answer)).toEqual([200, { entries: [] }]);
    expect(await served).toMatchObject({
      call: "GET /v1/towncrier",
      body: null,
      actor: null,
      key: null,
    });
    expect(await states()).toEqual([]);
  });

  it("carries its path parameters and its query as texts", async () => {
    const served = site.plugin.serve(200, { id: "7", removed: true });
    const route = "DELETE /admin/shardlink/towncrier/7";
    expect((await callRoute(site.server, route, { headers: site.admin.headers })).status).toBe(200);
    expect(await served).toMatchObject({
      call: "DELETE /v1/towncrier/:id",
      params: { id: "7" },
      query: {},
    });
  });

  it("is rejected at once while no plugin is connected", async () => {
    await query(site.server, "update plugin_sessions set alive_until = now()");
    const answer = await broadcast("anybody?");
    expect(answer.status).toBe(503);
    expect(retryAfter(answer)).toBeGreaterThan(0);
    expect(await states()).toEqual([]);
  });

  it("is withdrawn and never delivered if no plugin takes it within two seconds", async () => {
    const answer = await broadcast("anybody?");
    expect(answer.status).toBe(503);
    expect(await states()).toEqual([]);
    expect((await site.plugin.wait(0)).body).toEqual({ commands: [] });
  });

  it("is not sent if the plugin does not support it", async () => {
    site.plugin.capabilities = [];
    await site.plugin.hello();
    const answer = await callRoute(site.server, "GET /admin/shardlink/towncrier", site.admin);
    expect(answer.status).toBe(502);
    expect(answer.headers.get("x-error-code")).toBe("shard_unsupported");
    expect(await states()).toEqual([]);
  });

  it.each([
    [400, { code: "INVALID", field: "text", reason: "too long" }, 400, "shard_refused_request"],
    [403, { code: "WRITES_DISABLED" }, 403, "write_plane_disabled"],
    [422, { code: "UNSUPPORTED" }, 502, "shard_unsupported"],
    [429, { code: "LIMIT" }, 429, "shard_limit_reached"],
    [503, { code: "SHARD_DOWN" }, 503, "shard_unavailable"],
    [200, { no: "answer of this call" }, 502, "shard_failed"],
    [500, {}, 502, "shard_failed"],
  ])(
    "ends with the outcome %i %o of the plugin, and its caller gets the status %i and the error code %s",
    async (status, body, answered, code) => {
      const served = site.plugin.serve(status, body);
      const answer = await broadcast("The gate opens");
      await served;
      expect([answer.status, answer.headers.get("x-error-code")]).toEqual([answered, code]);
    },
  );

  it("runs once if a client repeats its key, also concurrently and through another process", async () => {
    const key = randomUUID();
    const first = broadcast("once", key);
    const [command] = await site.plugin.take();
    const repeats = [broadcast("once", key), broadcast("once", key, second)];
    expect((await site.plugin.wait(0)).body).toEqual({ commands: [] });
    await site.plugin.answer((command as TakenCommand).id, 200, { ok: true });
    const answers = await Promise.all([first, ...repeats]);
    expect(answers.map(statusAndBodyOf)).toEqual(
      Array.from({ length: 3 }, () => [200, { ok: true }]),
    );
    expect(statusAndBodyOf(await broadcast("once", key))).toEqual([200, { ok: true }]);
    const other = await broadcast("another text", key);
    expect(other.status).toBe(409);
    expect(await states()).toEqual(["answered"]);
  });

  it("may be retried under its key after the plugin rejected it", async () => {
    const key = randomUUID();
    const served = site.plugin.serve(403, { code: "WRITES_DISABLED" });
    expect((await broadcast("again", key)).status).toBe(403);
    await served;
    const servedAgain = site.plugin.serve(200, { ok: true });
    expect((await broadcast("again", key)).status).toBe(200);
    await servedAgain;
  });

  itInLongLane(
    "is answered from its late outcome if the caller repeats it under its key",
    async () => {
      const key = randomUUID();
      const asked = broadcast("slowly", key);
      const [command] = await site.plugin.take();
      const { id } = command as TakenCommand;
      // The site answers the caller after ten seconds without an outcome.
      expect((await asked).status).toBe(503);
      expect(await states()).toEqual(["taken"]);
      expect((await site.plugin.answer(id, 200, { ok: true })).status).toBe(204);
      expect(statusAndBodyOf(await broadcast("slowly", key))).toEqual([200, { ok: true }]);
      expect(await states()).toEqual(["answered"]);
    },
  );

  it("is lost if its game process is replaced after taking it, and its key can be used again", async () => {
    const key = randomUUID();
    const asked = broadcast("lost", key);
    await site.plugin.take();
    const next = site.plugin.another();
    await next.hello();
    expect((await asked).status).toBe(503);
    expect(await states()).toEqual(["lost"]);
    const served = next.serve(200, { ok: true });
    expect((await broadcast("lost", key)).status).toBe(200);
    await served;
  });

  it("is lost if the plugin sends a hello with a new epoch after taking it", async () => {
    const asked = broadcast("lost");
    await site.plugin.take();
    site.plugin.epoch = randomUUID();
    await site.plugin.hello();
    expect((await asked).status).toBe(503);
    expect(await states()).toEqual(["lost"]);
  });

  it("is lost ten minutes after its deadline, and its key can be used again", async () => {
    const key = randomUUID();
    ask("overdue", key);
    await site.plugin.take();
    await query(
      site.server,
      "update plugin_commands set answer_before = now() - interval '11 minutes'",
    );
    const served = site.plugin.serve(200, { ok: true });
    expect((await broadcast("overdue", key)).status).toBe(200);
    await served;
    expect(await states()).toEqual(["lost", "answered"]);
  });
});

describe("the outcome of a command", () => {
  it("is answered 204 also when the plugin repeats it, and a different outcome for the same command is answered 409", async () => {
    const asked = broadcast("once");
    const [command] = await site.plugin.take();
    const { id } = command as TakenCommand;
    expect(statusAndBodyOf(await site.plugin.answer(id, 200, { ok: true }))).toEqual([204, ""]);
    expect(statusAndBodyOf(await site.plugin.answer(id, 200, { ok: true }))).toEqual([204, ""]);
    expect(statusAndBodyOf(await site.plugin.answer(id, 200, { ok: false }))).toEqual(
      refused(409, "ANSWERED"),
    );
    expect((await asked).status).toBe(200);
  });

  it("is answered 404 if no command has its id", async () => {
    const unknown = refused(404, "NOT_FOUND");
    expect(statusAndBodyOf(await site.plugin.answer(randomUUID(), 200, {}))).toEqual(unknown);
  });

  it("is answered 404 if the command was withdrawn", async () => {
    const asked = broadcast("anybody?");
    const stored = () => query<{ id: string }>(site.server, "select id from plugin_commands");
    await waitUntil("the command is stored", async () => (await stored()).length === 1);
    const [command] = await stored();
    expect((await asked).status).toBe(503);
    expect(statusAndBodyOf(await site.plugin.answer(command?.id ?? "", 200, { ok: true }))).toEqual(
      refused(404, "NOT_FOUND"),
    );
  });

  it("is answered 404 if the command belongs to another link, and the command stays taken", async () => {
    const { id: serverId } = await buildSurvivalServer(site.server, {
      kind: "plugin",
      enabled: true,
    });
    const key = await buildPluginKey(site.server, sourceNameOf(serverId));
    const stranger = new TestPlugin(site.server, key);
    stranger.game = "rust";
    expect((await stranger.hello()).status).toBe(200);
    const asked = broadcast("once");
    const [command] = await site.plugin.take();
    const { id } = command as TakenCommand;
    expect(statusAndBodyOf(await stranger.answer(id, 200, { ok: false }))).toEqual(
      refused(404, "NOT_FOUND"),
    );
    expect(await states()).toEqual(["taken"]);
    expect((await site.plugin.answer(id, 200, { ok: true })).status).toBe(204);
    expect(statusAndBodyOf(await asked)).toEqual([200, { ok: true }]);
  });

  it.each([
    [{ status: 199, body: {} }, "status"],
    [{ status: 600, body: {} }, "status"],
    [{ status: 200, body: [] }, "body"],
    [{ status: 200 }, "body"],
  ])(
    "%o is rejected because its %s is invalid, and the command continues to wait for an outcome",
    async (body, field) => {
      ask("once");
      const [command] = await site.plugin.take();
      const { id } = command as TakenCommand;
      const answer = await callRoute(
        site.server,
        `POST /plugin/commands/${id}?bootId=${site.plugin.bootId}`,
        {
          headers: { authorization: `Bearer ${site.plugin.key}` },
          body,
        },
      );
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: "INVALID", field });
      expect(await states()).toEqual(["taken"]);
      await site.plugin.answer(id, 200, { ok: true });
    },
  );

  it("is answered 409 if it comes from a game process that another one has replaced", async () => {
    ask("once");
    const [command] = await site.plugin.take();
    await site.plugin.another().hello();
    const answer = await site.plugin.answer((command as TakenCommand).id, 200, { ok: true });
    expect(statusAndBodyOf(answer)).toEqual(refused(409, "SUPERSEDED"));
  });
});

describe("a wait for commands", () => {
  it("is answered without commands when its duration has passed, and is answered 400 if the duration is malformed", async () => {
    expect(statusAndBodyOf(await site.plugin.wait(0))).toEqual([200, { commands: [] }]);
    const path = `GET /plugin/commands?wait=x&bootId=${site.plugin.bootId}`;
    const junk = await callRoute(site.server, path, {
      headers: { authorization: `Bearer ${site.plugin.key}` },
    });
    expect(junk.status).toBe(400);
    expect(junk.body).toMatchObject({ code: "INVALID", field: "wait" });
  });

  it("ends when a newer wait begins at another process, and the newer wait gets the next command", async () => {
    const older = site.plugin.wait(25);
    await waitIsOpen();
    const elsewhere = new TestPlugin(second, site.plugin.key);
    Object.assign(elsewhere, { bootId: site.plugin.bootId, epoch: site.plugin.epoch });
    const newer = elsewhere.wait(25);
    expect(statusAndBodyOf(await older)).toEqual([200, { commands: [] }]);
    const asked = broadcast("to the newer");
    const answer = await newer;
    const { commands } = answer.body as { commands: TakenCommand[] };
    expect(commands).toHaveLength(1);
    await site.plugin.answer((commands[0] as TakenCommand).id, 200, { ok: true });
    expect((await asked).status).toBe(200);
  });

  it("ends when its connection is closed, and keeps the plugin connected for at most 40 seconds", async () => {
    const { hostname, port } = new URL(site.server.url);
    const path = `/api/v1/plugin/commands?wait=25&bootId=${site.plugin.bootId}`;
    const headers = { authorization: `Bearer ${site.plugin.key}` };
    const open = request({ hostname, port, path, headers });
    open.on("error", () => undefined);
    open.end();
    await waitIsOpen();
    open.destroy();
    const read = () =>
      query<{ calls: object; waiting: boolean; left: number }>(
        site.server,
        `select calls, wait_id is not null as waiting,
           extract(epoch from alive_until - clock_timestamp())::float8 as left
         from plugin_keys, plugin_sessions`,
      );
    // The end of the call and the end of the wait are recorded by two statements, in either order.
    await waitUntil("the call and the wait are over", async () => {
      const [row] = await read();
      return row !== undefined && Object.keys(row.calls).length === 0 && !row.waiting;
    });
    expect((await read())[0]?.left).toBeLessThanOrEqual(40);
  });

  it("ends with the error DISABLED when the link is turned off", async () => {
    const waiting = site.plugin.wait(25);
    await waitIsOpen();
    await callRoute(site.server, "PUT /admin/shardlink/config", {
      headers: site.admin.headers,
      body: { enabled: false },
    });
    expect(statusAndBodyOf(await waiting)).toEqual(refused(403, "DISABLED"));
  });
});

describe("the calls that a plugin makes with its key", () => {
  it("are limited to eight at once over all processes", async () => {
    const elsewhere = new TestPlugin(second, site.plugin.key);
    Object.assign(elsewhere, { bootId: site.plugin.bootId });
    await query(
      site.server,
      `update plugin_keys set calls = (select json_object_agg('call ' || n,
         (extract(epoch from now()) * 1000)::bigint + 60000) from generate_series(1, 7) n)`,
    );
    const waiting = site.plugin.wait(25);
    await waitIsOpen();
    const ninth = await elsewhere.wait(1);
    expect(statusAndBodyOf(ninth)).toEqual(refused(429, "LIMIT"));
    expect(retryAfter(ninth)).toBeGreaterThan(0);
    await query(site.server, "update plugin_keys set calls = '{}'");
    expect((await elsewhere.wait(0)).status).toBe(200);
    expect(statusAndBodyOf(await waiting)).toEqual([200, { commands: [] }]);
  });

  it("are limited to twenty calls with events a second, and outcomes and waits are not counted", async () => {
    await query(
      site.server,
      "update plugin_keys set second_began_at = clock_timestamp() + interval '1 minute', second_calls = 20",
    );
    expect(statusAndBodyOf(await site.plugin.send([]))).toEqual(refused(429, "LIMIT"));
    expect((await site.plugin.wait(0)).status).toBe(200);
    expect((await site.plugin.answer(randomUUID(), 200, {})).status).toBe(404);
    await query(site.server, "update plugin_keys set second_began_at = null, second_calls = 0");
    expect((await site.plugin.send([])).status).toBe(200);
  });
});
