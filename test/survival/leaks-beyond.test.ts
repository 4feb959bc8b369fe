import { readFileSync } from "node:fs";

import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { descriptionFile } from "../../api/ops/docs.ts";
import { routes } from "../../api/routes.ts";
import { EventSweeper } from "../../shared/events/engine/sweeper.ts";
import type { SiteContext } from "../../shared/ops/site-context.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { callRoute } from "../support/http/call.ts";
import { type Follower, type PushSite, startPushSite } from "../support/push/push-site.ts";
import type { ReceivingHook } from "../support/receiver/receiving-hook.ts";
import { startTestWorker, type TestWorker } from "../support/service/worker.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";

const person = (number: number, name: string) => ({
  steamId: `7656119800000095${number}`,
  name: `Canary${name}`,
});
const killer = person(1, "Killer");
const victim = person(2, "Victim");
const staff = person(3, "Staff");
const hidden = person(4, "Hidden");
const officer = person(5, "Officer");

/**
 * Texts that show that a player is online. Runs of events may use them only if everybody may see who is online.
 */
const ofPresence = [killer.steamId, killer.name, victim.name];

/**
 * Texts that no event, message or log may contain, although some users may see them in other
 * places.
 */
const secrets = [
  "canary-token",
  "canary-base.test",
  "canary-socket.test",
  "10.99.88.66",
  "canary-report",
  "canary-note",
  "canary-motd",
  "canary-team",
  "canary-chat",
  "canary-log",
  "canary-plugin",
  "canary-unlisted",
  "4567.5625",
  "5678.5625",
  victim.steamId,
  ...[staff, hidden, officer].flatMap(({ steamId, name }) => [steamId, name]),
];

/** The log lines of ingest, jobs and requests, at every level. */
const lines: string[] = [];
const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });

let site: PushSite;
let context: SiteContext;
let worker: TestWorker;
let sweeper: EventSweeper;
let hook: ReceivingHook;
let followers: Follower[];
let sessions: Readonly<Record<string, Readonly<Record<string, string>>>>;
let admin: SignedIn;
let serverId: number;
let unlistedId: number;

const streams = ["survival.server", "survival.wipe", "survival.account"] as const;

beforeAll(async () => {
  site = await startPushSite({
    log,
    environment: { WEBHOOK_RETRY: "50ms" },
  });
  context = { ...site.server.context, log };
  worker = await startTestWorker({ context: { ...site.server.context, log } }, ["push", "events"], {
    everySeconds: 0.5,
  });
  sweeper = new EventSweeper(context);
  sweeper.start();
  admin = await signIn(site.server, { role: "admin" });
  followers = [
    await site.follower(streams),
    await site.follower([...streams, "survival.staff"], { role: "moderator" }),
  ];
  const roles = ["player", "editor", "moderator"] as const;
  const others = await Promise.all(roles.map((role) => signIn(site.server, { role })));
  sessions = {
    anonymous: {},
    ...Object.fromEntries(roles.map((role, at) => [role, others[at]?.headers ?? {}])),
    admin: admin.headers,
  };
  const name = "canaries.push.test";
  site.names.say(name, ["127.0.0.1"]);
  hook = site.receiver.hook(name);
  await asAdmin("POST /admin/webhooks", {
    url: hook.url,
    streams: ["survival.server", "survival.wipe", "event.run"],
  });
  serverId = await plantServer({ name: "Oak" });
  unlistedId = await plantServer({ name: "canary-unlisted", listed: false });
});
afterAll(async () => {
  await sweeper.stop();
  await worker.stop();
  await site.stop();
});

async function asAdmin(route: string, body: object = {}): Promise<Record<string, unknown>> {
  const answered = await callRoute(site.server, route, { headers: admin.headers, body });
  if (answered.status >= 300) throw new Error(`${route}: ${answered.text}`);
  return answered.body as Record<string, unknown>;
}

async function plantServer(given: object): Promise<number> {
  const { id } = await buildSurvivalServer(site.server, given);
  await asAdmin(`PUT /admin/survival/servers/${id}`, {
    enabled: true,
    token: "canary-token",
    baseUrl: "http://canary-base.test:8080",
    wsUrl: "ws://canary-socket.test:8080/v1/stream",
  });
  return id;
}

let fallen = 0;

/** Stores events of a server. They contain every secret. */
async function happens(id: number, killedBy = killer): Promise<void> {
  const t = Date.now();
  const at = { t };
  const place = { x: 4567.5625, z: 4567.5625, grid: "P14" };
  const address = "10.99.88.66:50000";
  fallen += 1;
  await storeSurvivalFrames(context, id, [
    { type: "plugin", connected: true, bootId: "boot" },
    survivalFrame("player.joined", { ...victim, connectedAt: t, address }, at),
    survivalFrame("player.respawned", { ...victim, ...place, y: 1, bag: true }, at),
    survivalFrame("player.chat", { ...killer, channel: "global", message: "canary-chat" }, at),
    survivalFrame("player.chat", { ...killer, channel: "team", message: "canary-team" }, at),
    survivalFrame(
      "player.died",
      { victim: { ...victim, address }, killer: { kind: "player", ...killedBy }, ...place },
      at,
    ),
    survivalFrame("player.reported", {
      reporter: staff,
      target: victim,
      subject: "canary-report",
      message: "canary-report",
    }),
    survivalFrame("plugin.failed", { name: "Kits", errors: [{ message: "canary-plugin" }] }, at),
    survivalFrame("plugin.unloaded", { name: "Kits", reason: "canary-plugin" }, at),
    survivalFrame("config.outcome", {
      writeId: "1",
      plugin: "Kits",
      ok: false,
      phase: "load",
      message: "canary-log",
      logTail: ["canary-log"],
    }),
    survivalFrame(
      "survival.npc.died",
      {
        netId: String(fallen),
        profile: "boss",
        name: "Boss",
        boss: true,
        killer: killedBy,
        contributors: [{ steamId: staff.steamId, damage: 10 }],
        x: 5678.5625,
        z: 5678.5625,
        alive: 0,
      },
      at,
    ),
    survivalFrame("clan.roster", {
      clanId: "1",
      created: "2",
      name: "Owls",
      motd: "canary-motd",
      roles: [{ roleId: 1, rank: 1, name: "Leader" }],
      members: [{ ...officer, roleId: 1, joinedAt: t, online: true, notes: "canary-note" }],
    }),
    survivalFrame("map.live", {
      at: t,
      events: [],
      players: [{ ...officer, x: 4567.5625, z: 4567.5625 }],
      bases: [{ id: "1", x: 4567.5625, z: 4567.5625, owner: staff.steamId, auth: [] }],
    }),
    // An invalid frame, which is refused. Only administrators may read the content of refused
    // frames.
    survivalFrame("map.live", { at: "canary-report", players: [{ ...officer, x: "4567.5625" }] }),
  ]);
}

/**
 * Starts a run that waits for the death of an NPC and then announces all variables of that event.
 */
async function runThatTells(): Promise<{ eventId: number; runId: number }> {
  const text = "{{news}} {{killerName}} {{killerSteamId}} {{grid}} {{name}}";
  const spec = {
    listed: true,
    scope: "survival:*",
    phases: [
      {
        key: "wait",
        title: "Wait",
        steps: [],
        advance: { kind: "trigger", trigger: "survival.npc.died" },
      },
      {
        key: "tell",
        title: "Tell",
        steps: [
          {
            key: "say",
            actionId: "shard.broadcast",
            params: { text },
            maxAttempts: 1,
            onFailure: "continue",
          },
        ],
        advance: { kind: "manual" },
      },
    ],
  };
  const { event } = await asAdmin("POST /admin/events", { title: `Evening ${fallen}`, spec });
  const { id: eventId } = event as { id: number };
  await asAdmin(`POST /admin/events/${eventId}/publish`);
  const { run } = await asAdmin(`POST /admin/events/${eventId}/runs`);
  const { id: runId } = run as { id: number };
  await untilRun(runId, ({ status }) => status === "running");
  return { eventId, runId };
}

interface Seen {
  readonly status: string;
  readonly steps: readonly { readonly status: string }[];
}

async function untilRun(runId: number, is: (seen: Seen) => boolean): Promise<void> {
  await waitUntil(`run ${runId} has come so far`, async () => {
    const { headers } = admin;
    const { body } = await callRoute(site.server, `GET /admin/events/runs/${runId}`, { headers });
    const { run, steps } = body as { run: { status: string }; steps: Seen["steps"] };
    return is({ status: run.status, steps });
  });
}

const ofEvents = /^\/api\/v1\/(?:public|player|admin)\/(?:events|webhooks)\b/;

/** Returns the public answers about an event and its run. */
async function answersOf(eventId: number, runId: number): Promise<[string, string][]> {
  const { EventDefinition } = site.server.context.models;
  const slug = (await EventDefinition.findByPk(eventId))?.slug;
  const given: Readonly<Record<string, string | number | undefined>> = {
    id: eventId,
    runId,
    slug,
    seriesId: 1,
  };
  const asked = routes
    .filter(({ method, path }) => method === "get" && ofEvents.test(path))
    .filter(({ path }) => !path.endsWith("/stream"))
    .map(({ path }) => path.replaceAll(/:(\w+)/g, (_, name: string) => String(given[name] ?? 1)));
  expect(asked.length).toBeGreaterThanOrEqual(10);
  const all = asked.flatMap((path) => Object.keys(sessions).map((who) => [path, who] as const));
  return Promise.all(
    all.map(async ([path, who]): Promise<[string, string]> => {
      const request = `GET ${path.replace("/api/v1", "")}`;
      const { text } = await callRoute(site.server, request, { headers: sessions[who] ?? {} });
      return [`${request} by ${who}`, text];
    }),
  );
}

const found = (told: readonly [string, string][], texts: readonly string[]): string[] =>
  told.flatMap(([where, said]) =>
    texts.filter((text) => said.includes(text)).map((text) => `${where}: ${text}`),
  );

/** Returns all messages and log lines so far. */
const sent = (): [string, string][] => [
  ...followers.map(({ device }, at): [string, string] => [
    `message ${at}`,
    JSON.stringify(device.payloads),
  ]),
  ["webhook", JSON.stringify([hook.posted.map(({ headers }) => headers), hook.bodies])],
  ["log", lines.join("\n")],
];

const presence = (rung: string) => asAdminPut({ presence: rung });
async function asAdminPut(body: object): Promise<void> {
  await asAdmin("PUT /admin/survival/visibility", body);
}

describe("events, push messages, webhooks and logs about survival servers", () => {
  it.each([
    ["anonymous", true],
    ["admin", false],
  ])(
    "contain only data that their readers may see while presence is open to %s",
    async (rung, isOpen) => {
      await presence(rung);
      const { eventId, runId } = await runThatTells();
      const before = hook.count;
      await happens(unlistedId, hidden);
      await happens(serverId);
      await untilRun(runId, ({ steps }) => steps.some(({ status }) => status === "failed"));
      await site.settled();
      await waitUntil("the webhook is told of the boss", () => hook.count > before);
      const answers = await answersOf(eventId, runId);
      const run = answers.filter(([where]) => where.includes(`/runs/${runId}`));
      expect(found([...answers, ...sent()], secrets)).toEqual([]);
      // Only the run may contain the killer's name, and only if everybody may see who is online.
      expect(found(run, [killer.name]).length > 0).toBe(isOpen);
      expect(found([...(isOpen ? [] : answers), ...sent()], ofPresence)).toEqual([]);
    },
  );

  it("include in a push message only the stream and the reference", () => {
    const payloads = followers.flatMap(({ device }) => device.payloads) as object[];
    expect(payloads.length).toBeGreaterThanOrEqual(4);
    const fields = new Set(payloads.map((payload) => Object.keys(payload).toSorted().join()));
    expect([...fields]).toEqual(["ref,stream"]);
  });

  it("include at least one log line, so that the tests of log lines check something", () => {
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join("\n")).toContain("webhook");
  });

  it("name only fictitious accounts, hosts and addresses in the API description", () => {
    const text = readFileSync(descriptionFile, "utf8");
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    const samples = new Set(text.match(/7656119\d{10}/g));
    expect([...samples].toSorted()).toEqual(["76561198000000001", "76561198012345678"]);
    const hosts = [...text.matchAll(/\b(?:https?|wss?):\/\/([\w.-]+)/g)].map(([, host]) => host);
    const outside = ["fcm.googleapis.com", "discord.com", "jsonfeed.org", "www.w3.org"];
    const own = hosts.filter((host) => host && !outside.includes(host));
    expect(own.filter((host) => !host?.endsWith("example.org"))).toEqual([]);
    const addresses = new Set(text.match(/\b\d{1,3}(?:\.\d{1,3}){3}\b/g));
    // The tests use addresses of the range 203.0.113.0/24 only, which is reserved for examples.
    expect([...addresses].filter((address) => !address.startsWith("203.0.113."))).toEqual([]);
  });
});
