import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import type { SurvivalServer } from "../../models/survival/survival-server.ts";
import { sealText } from "../../shared/platform/crypto/sealed.ts";
import { defaultMessageStyle } from "../../shared/survival/chat/message-style.ts";
import { serverTokenSealContext } from "../../shared/survival/server-link.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { activityOf } from "../support/factories/site.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";

let server: TestServer;
let admin: SignedIn;
let moderator: SignedIn;
let editor: SignedIn;
let linked: SurvivalServer;

/** An HTTP server in place of a sidecar. */
let sidecar: Server;
let received: { readonly line: string; readonly actor: unknown; readonly body: unknown }[];
let answered: { readonly status: number; readonly body: object } | "cut";

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

async function startSidecar(): Promise<void> {
  sidecar = createServer((request, response) => {
    void textOf(request).then((text) => {
      const actor = String(request.headers["x-bridge-actor"] ?? "");
      received.push({
        line: `${request.method} ${request.url}`,
        actor: actor && (JSON.parse(Buffer.from(actor, "base64url").toString()) as unknown),
        body: text && (JSON.parse(text) as unknown),
      });
      if (answered === "cut") return request.socket.destroy();
      response.writeHead(answered.status, { "content-type": "application/json" });
      return response.end(JSON.stringify(answered.body));
    });
  });
  sidecar.listen(0, "127.0.0.1");
  await once(sidecar, "listening");
}

beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
  moderator = await signIn(server, { role: "moderator" });
  editor = await signIn(server, { role: "editor" });
});
afterAll(() => server.stop());

beforeEach(async () => {
  await deleteAll(server, "SurvivalServer");
  received = [];
  await startSidecar();
  const { port } = sidecar.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  linked = await buildSurvivalServer(server, { enabled: true, baseUrl, wsUrl: "ws://127.0.0.1:1" });
  const context = serverTokenSealContext(linked.id);
  await linked.update({ tokenSealed: sealText("secret", context, server.config.SECRETS_KEYS) });
});
afterEach(async () => {
  sidecar.closeAllConnections();
  sidecar.close();
  await once(sidecar, "close");
});

const helloOf = (given: object) =>
  survivalFrame("server.hello", {
    serverName: "Oak",
    worldReady: true,
    world: { saveCreatedAt: 1_764_000_000_000 },
    helpers: [],
    capabilities: ["announce", "integrations"],
    ...given,
  });

const announce = (body: object, { headers } = admin) =>
  callRoute(server, "POST /admin/survival/announce", { body, headers });

const ledgerOf = async (search = "", { headers } = admin) =>
  callRoute(server, `GET /admin/survival/ledger${search}`, { headers });

const entry = (given: object) => ({
  id: expect.any(Number),
  serverId: linked.id,
  what: "announce",
  ref: expect.any(String),
  state: "confirmed",
  pushedAt: anyTime,
  confirmedAt: null,
  leaseUntil: null,
  endedAt: null,
  reason: null,
  runId: null,
  stepId: null,
  bootId: null,
  ...given,
});

describe("an announcement", () => {
  it("goes to every enabled server in the name of the user who makes it", async () => {
    answered = { status: 200, body: { delivered: 7 } };
    await buildSurvivalServer(server, { enabled: false });
    const message = "The boss wakes";
    expect(statusAndBodyOf(await announce({ message }, moderator))).toEqual([
      200,
      { results: [{ serverId: linked.id, status: "sent" }] },
    ]);
    expect(received).toEqual([
      {
        line: "POST /v1/announce",
        actor: { userId: moderator.userId, username: moderator.username, role: "moderator" },
        body: { message, voice: null, channel: "chat" },
      },
    ]);
    expect(statusAndBodyOf(await ledgerOf())).toEqual([
      200,
      { ledger: [entry({ confirmedAt: anyTime })] },
    ]);
  });

  it("uses the message style of the site if one is set", async () => {
    answered = { status: 200, body: { delivered: 7 } };
    const { SurvivalVoice } = server.context.models;
    await SurvivalVoice.update({ voice: { name: "Herald" } }, { where: {} });
    await announce({ message: "Hear ye" }, moderator);
    await SurvivalVoice.update({ voice: null }, { where: {} });
    const voice = { ...defaultMessageStyle, name: "Herald" };
    expect(received.map(({ body }) => body)).toEqual([
      { message: "Hear ye", voice, channel: "chat" },
    ]);
  });

  it("reports a result for each named server, and keeps its text out of the log", async () => {
    answered = { status: 200, body: { delivered: 7 } };
    const off = await buildSurvivalServer(server, { enabled: false, sort: 1 });
    const old = await buildSurvivalServer(server, { enabled: true, sort: 2 });
    await storeSurvivalFrames(server.context, old.id, [helloOf({ capabilities: ["map"] })]);
    const results = [
      { serverId: linked.id, status: "sent" },
      { serverId: off.id, status: "offline" },
      { serverId: old.id, status: "unsupported" },
    ];
    const serverIds = [old.id, off.id, linked.id];
    expect(statusAndBodyOf(await announce({ message: "Hello", serverIds }))).toEqual([
      200,
      { results },
    ]);
    expect(received).toHaveLength(1);
    const sent = await activityOf(server, { action: "survival.announce.sent" }, ["detail"]);
    expect(sent.at(-1)).toEqual({
      detail: { serverIds: [linked.id, off.id, old.id], outcome: "done", results },
    });
  });

  it.each<[string, typeof answered, string, object]>([
    [
      "failed if the game refuses it",
      { status: 400, body: { error: "no", code: "INVALID" } },
      "failed",
      { state: "failed", reason: "INVALID" },
    ],
    [
      "offline if the game is down",
      { status: 503, body: { error: "down", code: "SHARD_DOWN" } },
      "offline",
      { state: "failed", reason: "SHARD_DOWN" },
    ],
    [
      "unsupported if a helper mod is missing",
      { status: 422, body: { error: "no", code: "UNSUPPORTED" } },
      "unsupported",
      { state: "failed", reason: "UNSUPPORTED" },
    ],
    [
      "lost if the connection breaks before the answer",
      "cut",
      "failed",
      { state: "lost", reason: "SHARD_DOWN" },
    ],
  ])("has the result %s", async (_how, given, status, kept) => {
    answered = given;
    expect(statusAndBodyOf(await announce({ message: "Hello" }))).toEqual([
      200,
      { results: [{ serverId: linked.id, status }] },
    ]);
    expect(statusAndBodyOf(await ledgerOf())).toEqual([
      200,
      { ledger: [entry({ endedAt: anyTime, ...kept })] },
    ]);
  });

  it.each<[string, object]>([
    ["no message", { message: "  " }],
    ["a message that is too long", { message: "x".repeat(513) }],
    ["no servers", { message: "Hello", serverIds: [] }],
    ["an unknown server", { message: "Hello", serverIds: [2_000_000_000] }],
  ])("is refused if it has %s, and no server receives it", async (_what, body) => {
    const refused = await announce(body);
    expect(refused.status).toBe(400);
    expect(received).toEqual([]);
    expect(statusAndBodyOf(await ledgerOf())).toEqual([200, { ledger: [] }]);
  });

  it("can be made by administrators and moderators only", async () => {
    expect((await announce({ message: "Hello" }, editor)).status).toBe(403);
    expect((await callRoute(server, "POST /admin/survival/announce", { body: {} })).status).toBe(
      401,
    );
    expect(received).toEqual([]);
  });
});

describe("the ledger of pushes to survival servers", () => {
  const at = Date.UTC(2026, 0, 1);
  const push = (what: "zone" | "kit", ref: string) =>
    server.context.models.SurvivalLedgerEntry.create({
      serverId: linked.id,
      what,
      ref,
      state: "confirmed",
    });
  const store = (kind: string, payload: object) =>
    storeSurvivalFrames(server.context, linked.id, [survivalFrame(kind, payload)]);

  it("records an expiry of an object once, from the first of two frames that report it", async () => {
    await push("zone", "lease-1");
    await store("world.expired", { what: "zone", ref: "lease-1", reason: "wipe", at });
    await store("lease.expired", { leaseId: "lease-1", what: "zone", ref: "site-lease-1" });
    expect(statusAndBodyOf(await ledgerOf())).toEqual([
      200,
      {
        ledger: [
          entry({
            what: "zone",
            ref: "lease-1",
            state: "expired",
            reason: "wipe",
            endedAt: new Date(at).toISOString(),
          }),
        ],
      },
    ]);
  });

  it("marks only the newest entry of a lease as expired, at the time when the lease ended", async () => {
    await push("zone", "lease-2");
    await push("zone", "lease-2");
    await store("lease.expired", {
      leaseId: "lease-2",
      what: "zone",
      ref: "site-lease-2",
      leaseUntil: at,
    });
    const ended = { state: "expired", reason: "timeout", endedAt: new Date(at).toISOString() };
    expect(statusAndBodyOf(await ledgerOf())).toEqual([
      200,
      {
        ledger: [
          entry({ what: "zone", ref: "lease-2", ...ended }),
          entry({ what: "zone", ref: "lease-2" }),
        ],
      },
    ]);
  });

  it("adds an entry for an expired object that it did not contain", async () => {
    await store("world.expired", { what: "kit", ref: "4", reason: "removed", at });
    const then = new Date(at).toISOString();
    expect(statusAndBodyOf(await ledgerOf("?what=kit"))).toEqual([
      200,
      {
        ledger: [
          entry({
            what: "kit",
            ref: "4",
            state: "expired",
            reason: "removed",
            pushedAt: then,
            endedAt: then,
            bootId: "boot",
          }),
        ],
      },
    ]);
  });

  it("records each end of an object whose name is used again, and each end once", async () => {
    const ended = (instant: number) =>
      store("world.expired", { what: "placement", ref: "Dome boss", reason: "wipe", at: instant });
    await ended(at);
    await ended(at);
    await ended(at + 1_000);
    const of = (instant: number) =>
      entry({
        what: "placement",
        ref: "Dome boss",
        state: "expired",
        reason: "wipe",
        pushedAt: new Date(instant).toISOString(),
        endedAt: new Date(instant).toISOString(),
        bootId: "boot",
      });
    expect(statusAndBodyOf(await ledgerOf())).toEqual([200, { ledger: [of(at + 1_000), of(at)] }]);
  });

  it("can be filtered by server, kind and state, and is paged", async () => {
    const first = await push("zone", "a");
    const second = await push("kit", "b");
    const page = { ledger: [entry({ id: second.id, what: "kit", ref: "b" })], next: second.id };
    expect(statusAndBodyOf(await ledgerOf("?limit=1"))).toEqual([200, page]);
    const rest = { ledger: [entry({ id: first.id, what: "zone", ref: "a" })] };
    expect(statusAndBodyOf(await ledgerOf(`?limit=1&before=${second.id}`))).toEqual([200, rest]);
    expect(statusAndBodyOf(await ledgerOf(`?what=zone&server=${linked.id}`))).toEqual([200, rest]);
    expect(statusAndBodyOf(await ledgerOf("?state=lost"))).toEqual([200, { ledger: [] }]);
    expect((await ledgerOf("?what=everything")).status).toBe(400);
    expect((await ledgerOf("", moderator)).status).toBe(403);
  });
});

describe("the integrations of a server", () => {
  const read = ({ headers } = admin, id = linked.id) =>
    callRoute(server, `GET /admin/survival/servers/${id}/integrations`, { headers });
  const helpers = [{ id: "zones", name: "ZoneManager", version: "3.1.2", loaded: true }];
  const zones = {
    id: "zones",
    mod: "ZoneManager",
    loaded: true,
    version: "3.1.2",
    usable: true,
    reason: null,
    enables: ["survival.zone.open", "survival.zone.close"],
  };

  it("are those that the server has loaded at present", async () => {
    answered = {
      status: 200,
      body: {
        framework: { name: "oxide", version: "2.0" },
        integrations: [
          { id: "zones", mod: "ZoneManager", loaded: true, version: "3.1.2" },
          { id: "domes", mod: "ZoneDomes", loaded: false, version: null },
        ],
      },
    };
    expect(statusAndBodyOf(await read())).toEqual([
      200,
      {
        serverId: linked.id,
        online: true,
        checkedAt: anyTime,
        framework: { name: "oxide", version: "2.0" },
        integrations: [
          zones,
          {
            id: "domes",
            mod: "ZoneDomes",
            loaded: false,
            version: null,
            usable: false,
            reason: "not-loaded",
            enables: [],
          },
        ],
      },
    ]);
    expect(received).toEqual([{ line: "GET /v1/integrations", actor: "", body: "" }]);
  });

  it("are those last reported, marked as unusable, while the server is off", async () => {
    answered = { status: 503, body: { error: "down", code: "SHARD_DOWN" } };
    const framework = { name: "carbon" };
    await storeSurvivalFrames(server.context, linked.id, [helloOf({ helpers, framework })]);
    expect(statusAndBodyOf(await read())).toEqual([
      200,
      {
        serverId: linked.id,
        online: false,
        checkedAt: anyTime,
        framework: { name: "carbon", version: null },
        integrations: [{ ...zones, usable: false, reason: "offline" }],
      },
    ]);
  });

  it("are unusable if the NPC plugin is older than the oldest supported version", async () => {
    const npcs = { id: "npcs", mod: "BotReSpawn", loaded: true, version: "1.0" };
    answered = { status: 200, body: { framework: { name: "oxide" }, integrations: [npcs] } };
    for (const [npcApi, usable, reason] of [
      [3, false, "outdated"],
      [4, true, null],
    ] as const) {
      await storeSurvivalFrames(server.context, linked.id, [helloOf({ npcApi })]);
      expect((await read()).body).toMatchObject({
        integrations: [{ ...npcs, usable, reason, enables: ["survival.npc.spawn"] }],
      });
    }
  });

  it("are not requested from a plugin without the capability to list them", async () => {
    await storeSurvivalFrames(server.context, linked.id, [helloOf({ helpers, capabilities: [] })]);
    expect(statusAndBodyOf(await read())).toEqual([
      200,
      {
        serverId: linked.id,
        online: true,
        checkedAt: anyTime,
        framework: null,
        integrations: [{ ...zones, usable: false, reason: "unsupported" }],
      },
    ]);
    expect(received).toEqual([]);
  });

  it("are shown to administrators only, and answer 404 for an unknown server", async () => {
    expect((await read(moderator)).status).toBe(403);
    expect(statusAndBodyOf(await read(admin, 2_000_000_000))).toEqual([
      404,
      { error: "There is no such server" },
    ]);
  });
});
