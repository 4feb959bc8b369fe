import { randomUUID } from "node:crypto";

import { describe, expect, it } from "vitest";

import { waitUntil } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { makeShardKey } from "../support/plugin/linked-plugin.ts";
import { usePluginTestSite } from "../support/plugin/plugin-site.ts";
import { TestPlugin } from "../support/plugin/test-plugin.ts";

const site = usePluginTestSite({ environment: { TRUST_PROXY: "loopback" } });

const refused = (status: number, code: string, more: object = {}) => [
  status,
  { error: expect.any(String), code, ...more },
];

const welcome = (more: object = {}) => [
  200,
  {
    cursor: null,
    resync: expect.arrayContaining(["market", "house", "guild", "governor", "points"]),
    pollSeconds: 25,
    maxEvents: 500,
    maxBytes: 1_048_576,
    now: expect.any(Number),
    ...more,
  },
];

const shout = (text: string) => ({
  kind: "world.broadcast",
  t: 1_790_000_000_000,
  payload: { text, access: "Player" },
});

const configOf = async () =>
  (await callRoute(site.server, "GET /admin/shardlink/config", site.admin)).body;

describe("the hello of a plugin", () => {
  it("starts a session, which the configuration of the link shows", async () => {
    await site.startIngest();
    expect(statusAndBodyOf(await site.plugin.hello())).toEqual(welcome());
    await waitUntil("the link is connected", async () => {
      const { status } = (await configOf()) as { status: string };
      return status === "connected";
    });
    expect(await configOf()).toMatchObject({
      kind: "plugin",
      baseUrl: "",
      wsUrl: "",
      hasToken: false,
      hasKey: true,
      keyCreatedAt: expect.any(String),
      keyLastUsedAt: expect.any(String),
      plugin: { name: "Guildhall for tests", version: "1.0.0" },
      enabled: true,
      status: "connected",
      reason: null,
      health: { protocol: 8, pluginConnected: true, bootId: site.plugin.bootId },
    });
  });

  it("gets the same answer when it is repeated, and its session continues", async () => {
    await site.plugin.hello();
    await site.plugin.send([shout("one")]);
    const { epoch } = site.plugin;
    expect(statusAndBodyOf(await site.plugin.hello())).toEqual(
      welcome({ cursor: { epoch, seq: 1 } }),
    );
    expect(statusAndBodyOf(await site.plugin.send([shout("two")]))).toEqual([200, { seq: 2 }]);
  });

  it("permanently ends the session of the former game process if it comes from a new one", async () => {
    await site.plugin.hello();
    const next = site.plugin.another();
    expect(statusAndBodyOf(await next.hello())).toEqual(welcome());
    expect(statusAndBodyOf(await site.plugin.hello())).toEqual(refused(409, "SUPERSEDED"));
    expect(statusAndBodyOf(await site.plugin.send([shout("late")]))).toEqual(
      refused(409, "SUPERSEDED"),
    );
    expect(statusAndBodyOf(await site.plugin.wait(1))).toEqual(refused(409, "SUPERSEDED"));
    expect(statusAndBodyOf(await site.plugin.answer(randomUUID(), 200, {}))).toEqual(
      refused(409, "SUPERSEDED"),
    );
    expect(statusAndBodyOf(await next.send([shout("on time")]))).toEqual([200, { seq: 1 }]);
  });

  it("ends the open wait for commands of the previous game process", async () => {
    await site.plugin.hello();
    const waiting = site.plugin.wait(25);
    await waitUntil("the wait is open", async () => {
      const [row] = await query(site.server, "select wait_id from plugin_sessions");
      return (row as { wait_id: string | null }).wait_id !== null;
    });
    await site.plugin.another().hello();
    expect(statusAndBodyOf(await waiting)).toEqual(refused(409, "SUPERSEDED"));
  });

  it("is answered 409 with the known versions if its protocol is unknown, and staff see the reason", async () => {
    await site.startIngest();
    expect(statusAndBodyOf(await site.plugin.hello({ protocol: 2 }))).toEqual(
      refused(409, "PROTOCOL", { min: 1, max: 1 }),
    );
    await waitUntil("the link is in error", async () => {
      const { status } = (await configOf()) as { status: string };
      return status === "error";
    });
    expect(await configOf()).toMatchObject({
      reason: "Guildhall for tests 1.0.0 speaks protocol 2, this site speaks 1: update the site",
    });
    expect(statusAndBodyOf(await site.plugin.hello())).toEqual(welcome());
  });

  it("is answered 400 if it names another game, and does not end the session", async () => {
    await site.plugin.hello();
    const other = site.plugin.another();
    other.game = "rust";
    expect(statusAndBodyOf(await other.hello())).toEqual([
      400,
      {
        error: "Validation failed",
        code: "INVALID",
        field: "game",
        errors: [
          { path: "game", message: "game must be uo: the key belongs to a server of that game" },
        ],
      },
    ]);
    expect(statusAndBodyOf(await site.plugin.send([shout("still here")]))).toEqual([
      200,
      { seq: 1 },
    ]);
  });

  it.each([
    ["bootId", "a boot"],
    ["epoch", "1"],
    ["oldest", -1],
    ["head", 0.5],
    ["capabilities", "all"],
    ["plugin", null],
    ["server", []],
  ])("is answered 400 and names the field if it has an invalid %s", async (field, value) => {
    const { status, body } = await site.plugin.hello({ [field]: value });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "INVALID", field });
  });

  it("is answered 409 without a new epoch if its buffer ends before the last stored event", async () => {
    await site.plugin.hello();
    await site.plugin.send([shout("one"), shout("two")]);
    expect(statusAndBodyOf(await site.plugin.hello({ head: 1 }))).toEqual(refused(409, "EPOCH"));
    const epoch = randomUUID();
    expect(statusAndBodyOf(await site.plugin.hello({ head: 1, epoch }))).toEqual(welcome());
  });

  it("is rejected while the link is disabled or set to a sidecar", async () => {
    const save = (body: object) =>
      callRoute(site.server, "PUT /admin/shardlink/config", { headers: site.admin.headers, body });
    await save({ enabled: false });
    expect(statusAndBodyOf(await site.plugin.hello())).toEqual(refused(403, "DISABLED"));
    await save({ kind: "sidecar" });
    expect(statusAndBodyOf(await site.plugin.hello())).toEqual(refused(401, "UNAUTHORIZED"));
  });

  it("is answered as usual while the site is in maintenance", async () => {
    const mode = (site_mode: string) =>
      callRoute(site.server, "PUT /admin/site-mode", {
        headers: site.admin.headers,
        body: { site_mode },
      });
    expect((await mode("maintenance")).status).toBe(200);
    expect(statusAndBodyOf(await site.plugin.hello())).toEqual(welcome());
    expect((await mode("live")).status).toBe(200);
  });
});

describe("the key of a plugin", () => {
  const score = async () => {
    const [row] = await query(
      site.server,
      "select coalesce(sum(score), 0)::float8 as sum from ip_reputation",
    );
    return Math.round((row as { sum: number }).sum);
  };

  it("is rejected if it is unknown, and counts against its address", async () => {
    const before = await score();
    const from = { "x-forwarded-for": "198.51.100.7" };
    const made = { authorization: `Bearer ghk_${"x".repeat(43)}`, ...from };
    const stranger = await callRoute(site.server, "POST /plugin/hello", {
      headers: made,
      body: {},
    });
    expect(statusAndBodyOf(stranger)).toEqual(refused(401, "UNAUTHORIZED"));
    expect(await score()).toBe(before + 1);
    const nobody = await callRoute(site.server, "POST /plugin/hello", { headers: from, body: {} });
    expect(statusAndBodyOf(nobody)).toEqual(refused(401, "UNAUTHORIZED"));
    expect(nobody.headers.get("www-authenticate")).toBe("Bearer");
    expect(await score()).toBe(before + 1);
  });

  it("becomes invalid at the first call with a newer key, and later calls with it do not count against their address", async () => {
    const before = await score();
    await site.plugin.hello();
    const next = site.plugin.another();
    const newer = new TestPlugin(site.server, await makeShardKey(site.server, site.admin));
    expect(statusAndBodyOf(await site.plugin.send([shout("still")]))).toEqual([200, { seq: 1 }]);
    expect((await newer.hello()).status).toBe(200);
    expect(statusAndBodyOf(await next.hello())).toEqual(refused(401, "UNAUTHORIZED"));
    expect(await score()).toBe(before);
  });

  it("ends immediately, with its open wait, when an administrator deletes it", async () => {
    await site.plugin.hello();
    const waiting = site.plugin.wait(25);
    await waitUntil("the wait is open", async () => {
      const [row] = await query(site.server, "select wait_id from plugin_sessions");
      return (row as { wait_id: string | null }).wait_id !== null;
    });
    const deleted = await callRoute(site.server, "DELETE /admin/shardlink/plugin-key", {
      headers: site.admin.headers,
      body: {},
    });
    expect(statusAndBodyOf(deleted)).toEqual([200, { ended: 1 }]);
    expect(statusAndBodyOf(await waiting)).toEqual(refused(401, "UNAUTHORIZED"));
    expect((await configOf()) as object).toMatchObject({ hasKey: false, status: "disconnected" });
  });

  it("is rejected by every other route of the site", async () => {
    const headers = { authorization: `Bearer ${site.plugin.key}` };
    expect((await callRoute(site.server, "GET /auth/me", { headers })).status).toBe(401);
    expect((await callRoute(site.server, "GET /admin/shardlink/config", { headers })).status).toBe(
      401,
    );
  });
});
