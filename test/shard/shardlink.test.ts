import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type Simulator, startSimulator } from "../simulator/simulator.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { textOfTable } from "../support/database/text-of-table.ts";
import { activityOf } from "../support/factories/site.ts";
import { callRoute } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startTestIngest, type TestIngest } from "../support/shard/ingest.ts";

let server: TestServer;
let admin: SignedIn;
let simulator: Simulator;
let other: Simulator;
let ingest: TestIngest;

beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
  simulator = await startSimulator({ world: "small", token: "the first token" });
  other = await startSimulator({ world: "small", token: "the other token" });
  ingest = await startTestIngest(server.context);
});
afterAll(async () => {
  await ingest.stop();
  await server.stop();
  await simulator.stop();
  await other.stop();
});

const path = "/admin/shardlink/config";
const read = async () => (await callRoute(server, `GET ${path}`, admin)).body as { stats: object };
const save = async (body: unknown, { headers } = admin) => {
  const answered = await callRoute(server, `PUT ${path}`, { headers, body });
  return { status: answered.status, body: answered.body };
};

const untouched = {
  kind: "sidecar",
  baseUrl: "",
  wsUrl: "",
  hasToken: false,
  statusHost: "",
  statusPort: 2593,
  hasKey: false,
  keyCreatedAt: null,
  keyLastUsedAt: null,
  plugin: null,
  protocol: 8,
  enabled: false,
  status: "disconnected",
  reason: null,
  health: null,
  stats: {
    received: 0,
    stored: 0,
    duplicates: 0,
    rejected: 0,
    gaps: 0,
    cursor: null,
    lastAckAt: null,
    owner: expect.stringMatching(/./),
  },
};
const linkOf = ({ baseUrl, wsUrl, token }: Simulator) => ({ baseUrl, wsUrl, token });

describe("/admin/shardlink/config", () => {
  it("is off and empty until it is set", async () => {
    expect(await read()).toEqual(untouched);
  });

  it("refuses callers who are not administrators", async () => {
    for (const role of ["moderator", "editor", "player"] as const) {
      const who = await signIn(server, { role });
      const refusal = { status: 403, body: { error: "Admin role required" } };
      expect(await save({ enabled: false }, who)).toEqual(refusal);
      expect((await callRoute(server, `GET ${path}`, who)).body).toEqual(refusal.body);
    }
  });

  it("cannot be switched on without token and addresses, and names what is missing", async () => {
    const { baseUrl, wsUrl } = simulator;
    const missing = (...names: string[]) => ({
      status: 400,
      body: {
        error: "Validation failed",
        errors: names.map((name) => ({
          path: name,
          message: `${name} is required while the link is enabled`,
        })),
      },
    });
    expect(await save({ enabled: true })).toEqual(missing("token", "baseUrl", "wsUrl"));
    expect(await save({ enabled: true, baseUrl, wsUrl })).toEqual(missing("token"));
    expect(await save({ enabled: true, baseUrl, wsUrl, token: " " })).toEqual(missing("token"));
    expect(await save({ enabled: true, token: "x", wsUrl })).toEqual(missing("baseUrl"));
    expect(await read()).toEqual(untouched);
  });

  it("refuses a token that is too long", async () => {
    expect((await save({ token: "x".repeat(4097) })).status).toBe(400);
    expect(await read()).toEqual(untouched);
  });

  it.each([
    ["baseUrl", "ws://shard"],
    ["baseUrl", "http://user:secret@shard"],
    ["baseUrl", "http://shard#part"],
    ["baseUrl", "http://shard?a=b"],
    ["baseUrl", null],
    ["wsUrl", "http://shard"],
    ["wsUrl", "shard"],
    ["wsUrl", 1],
    ["token", "two\nlines"],
    ["token", "tök€n"],
    ["token", null],
    ["protocol", 6],
    ["protocol", 9],
    ["protocol", "8"],
    ["enabled", "true"],
    ["enabled", null],
  ])("refuses a field %s with the value %j, and changes nothing", async (field, value) => {
    const { status, body } = await save({ protocol: 7, [field]: value });
    const { error, errors } = body as { error: string; errors: { path: string }[] };
    expect([status, error]).toEqual([400, "Validation failed"]);
    expect(new Set(errors.map(({ path: at }) => at))).toEqual(new Set([field]));
    expect(JSON.stringify(body)).not.toMatch(/secret|two|tök/);
    expect(await read()).toEqual(untouched);
  });

  it("connects at once when it is saved, and shows everything except the token", async () => {
    const { baseUrl, wsUrl } = simulator;
    const { status, body } = await save({ ...linkOf(simulator), enabled: true });
    expect([status, body]).toEqual([
      200,
      {
        ...untouched,
        baseUrl,
        wsUrl,
        hasToken: true,
        enabled: true,
        status: expect.stringMatching(/^(reconnecting|connected)$/),
        health: {
          protocol: 8,
          pluginConnected: true,
          bootId: simulator.game.bootId,
          uptimeSec: expect.any(Number),
          capabilities: expect.arrayContaining(["clilocs", "pages"]),
        },
        stats: expect.objectContaining({ rejected: 0 }),
      },
    ]);
    await waitUntil("it is connected and has stored", async () => {
      const { status: state, stats } = (await read()) as { status?: string; stats: object };
      return state === "connected" && (stats as { stored: number }).stored > 0;
    });
    const stored = JSON.stringify([
      await textOfTable(server, "shardlink"),
      await textOfTable(server, "activity_log"),
      await read(),
    ]);
    expect(stored).not.toContain(simulator.token);
  });

  it("keeps the stored token and other fields if they are blank or left out", async () => {
    for (const body of [{ token: "" }, { token: "  " }, {}]) {
      expect(await save(body)).toMatchObject({
        status: 200,
        body: {
          baseUrl: simulator.baseUrl,
          hasToken: true,
          enabled: true,
          health: { protocol: 8 },
        },
      });
    }
  });

  it("trims white space around the token", async () => {
    const { body } = await save({ token: `  ${simulator.token}\n` });
    expect(body).toMatchObject({ health: { protocol: 8 } });
  });

  it("switches to another shard as soon as it is saved", async () => {
    await save(linkOf(other));
    await waitUntil("the other shard is listened to", () => other.stream.connection !== undefined);
    expect(await read()).toMatchObject({ baseUrl: other.baseUrl, enabled: true });
    await save({ enabled: false });
    await waitUntil("nobody listens", () => other.stream.connection === undefined);
    expect(await read()).toMatchObject({ status: "disconnected", reason: null, health: null });
  });

  it("shows why the shard does not answer", async () => {
    const { body } = await save({ ...linkOf(other), token: "another", enabled: true });
    expect(body).toMatchObject({ health: { error: "The game server refused the token" } });
    await waitUntil("the link is in error", async () => {
      const { status, reason } = (await read()) as {
        status?: string;
        reason?: string;
        stats: object;
      };
      return status === "error" && reason === "the sidecar refused the token";
    });
  });

  it("is logged at every change, and the entry says whether the token changed", async () => {
    const where = { action: "shardlink.configured" };
    const changes = await activityOf(server, where, ["actorId", "detail"]);
    const detail = { baseUrl: simulator.baseUrl, wsUrl: simulator.wsUrl, enabled: true };
    expect(changes[0]).toEqual({
      actorId: admin.userId,
      detail: { ...detail, tokenChanged: true },
    });
    expect(changes[1]).toEqual({ actorId: admin.userId, detail: { tokenChanged: false } });
  });
});

describe("GET /admin/shardlink/rejected", () => {
  const rejected = (search = "") =>
    callRoute(server, `GET /admin/shardlink/rejected${search}`, admin);

  it("lists the refused frames with the reasons, newest first", async () => {
    await save({ ...linkOf(simulator), enabled: true });
    simulator.emit("vendor.sale", { price: 5 });
    simulator.emit("points.board", { system: "No-Such" });
    const frames = async () => ((await rejected()).body as { frames: object[] }).frames;
    await waitUntil("both were refused", async () => (await frames()).length === 2);
    const told = (kind: string, excerpt: string, detail: string) => ({
      id: expect.any(Number),
      at: anyTime,
      reason: "schema",
      detail,
      kind,
      excerpt: expect.stringContaining(excerpt),
    });
    expect(await frames()).toEqual([
      told(
        "points.board",
        "No-Such",
        "system with value No-Such fails to match the points system pattern",
      ),
      told("vendor.sale", '"price":5', "vendor is required"),
    ]);
    expect((await rejected("?limit=1")).body).toMatchObject({ frames: [{ kind: "points.board" }] });
    expect(await read()).toMatchObject({ stats: { rejected: 2 } });
  });

  it.each(["0", "1001", "x"])("answers 400 to the limit %s", async (limit) => {
    expect((await rejected(`?limit=${limit}`)).status).toBe(400);
  });

  it("refuses callers who are not administrators", async () => {
    const moderator = await signIn(server, { role: "moderator" });
    const { status, body } = await callRoute(server, "GET /admin/shardlink/rejected", moderator);
    expect([status, body]).toEqual([403, { error: "Admin role required" }]);
  });
});
