import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Route } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { clockNowPlus } from "../../models/queries/clock.ts";
import { isInAudience, type Rung } from "../../shared/platform/access/roles.ts";
import { findSurvivalKind } from "../../shared/survival/kinds/kinds.ts";
import {
  defaultSurvivalVisibility,
  type SurvivalVisibility,
} from "../../shared/survival/visibility/visibility.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { buildSurvivalServer, changeSurvivalSource } from "../support/factories/survival.ts";
import { callRoute } from "../support/http/call.ts";
import { type Block, openStream } from "../support/http/event-stream.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { ingestTestEvents } from "../support/shard/planted-events.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";

/** The callers of the tests. Editor and moderator have the same access level. */
const callers = ["anonymous", "logged_in", "player", "editor", "moderator", "admin"] as const;
type CallerName = (typeof callers)[number];

const rungOf: Readonly<Record<CallerName, Rung>> = {
  anonymous: "anonymous",
  logged_in: "logged_in",
  player: "player",
  editor: "staff",
  moderator: "staff",
  admin: "admin",
};

/**
 * Visibility settings: the defaults, everything open to everybody, and everything as closed as
 * possible.
 */
const configs: Readonly<Record<string, SurvivalVisibility>> = {
  "by default": defaultSurvivalVisibility,
  "opened to all": {
    presence: "anonymous",
    roster: "anonymous",
    profiles: "anonymous",
    liveMap: { card: true, audience: "anonymous" },
    layers: { world: "anonymous", events: "anonymous", players: "staff", bases: "staff" },
  },
  "closed to all but administrators": {
    presence: "admin",
    roster: "admin",
    profiles: "admin",
    liveMap: { card: false, audience: "admin" },
    layers: { world: "admin", events: "admin", players: "admin", bases: "admin" },
  },
};

const person = (number: number, name: string) => ({
  steamId: `765611980000009${String(number).padStart(2, "0")}`,
  name: `Canary${name}`,
});
const present = person(1, "Present");
const member = person(2, "Member");
const staffPlayer = person(3, "Staff");
const killer = person(4, "Killer");
const linkedElsewhere = person(5, "Linked");
const hidden = person(6, "Hidden");
const mapped = person(7, "Mapped");
const owner = person(8, "Owner");
/** A player in public leaderboards. Everybody may see this player, so it is no canary. */
const ranked = { steamId: "76561198000000801", name: "Ranked" };
const own = { steamId: "76561198000000802", name: "Own" };

type From = (visibility: SurvivalVisibility) => Rung | "nobody";

const higher = (one: Rung, other: Rung): Rung => (isInAudience(one, other) ? one : other);
const lower = (one: Rung, other: Rung): Rung => (isInAudience(one, other) ? other : one);
const nobody: From = () => "nobody";
const presence: From = (visibility) => visibility.presence;
const roster: From = (visibility) => visibility.roster;
const staffOfPresence: From = (visibility) => higher(visibility.presence, "staff");

/** CATALOGUE of secret texts. `from` returns the lowest access level that may see the text. */
const canaries: Readonly<Record<string, { readonly text: string; readonly from: From }>> = {
  "token of a sidecar": { text: "canary-token", from: nobody },
  "address of a control plane": { text: "canary-base.test", from: nobody },
  "address of a socket": { text: "canary-socket.test", from: nobody },
  "address of a player": { text: "10.99.88.77", from: nobody },
  "name of a server that is not listed": { text: "canary-unlisted", from: nobody },
  "Steam id on a server that is not listed": { text: hidden.steamId, from: nobody },
  "name on a server that is not listed": { text: hidden.name, from: nobody },
  "Steam id of staff, who are in no ranking": { text: staffPlayer.steamId, from: nobody },
  "Steam id that another user linked": { text: linkedElsewhere.steamId, from: nobody },
  "user name of another": { text: "canary-user", from: nobody },
  "user name of an administrator": { text: "canary-admin", from: nobody },
  "words of a report": { text: "canary-report", from: nobody },
  "fault of a plugin": { text: "canary-plugin", from: nobody },
  "log of a configuration write": { text: "canary-log", from: nobody },
  "note of a clan's officer": { text: "canary-note", from: nobody },
  "words of a team": { text: "canary-team", from: nobody },
  "kit of an NPC": { text: "canary-kit", from: nobody },
  "group that another was put into": { text: "canary-group", from: nobody },
  "permission of that group": { text: "canary.of.group", from: nobody },
  "permission that another was granted": { text: "canary.granted", from: nobody },
  "why it was granted": { text: "canary-reason", from: nobody },
  "kit that another may take": { text: "canary-entitled", from: nobody },
  "title on a server that is not listed": { text: "canary-title", from: nobody },
  "words of a zone": { text: "canary-zone", from: nobody },
  "Steam id of who is on a server": { text: present.steamId, from: presence },
  "name of who is on a server": { text: present.name, from: presence },
  "words of a player": { text: "canary-chat", from: presence },
  "place of a respawn": { text: "1234.5625", from: staffOfPresence },
  "grid of a death": { text: "Q77", from: staffOfPresence },
  "Steam id of a member": { text: member.steamId, from: roster },
  "words for the members of a clan": {
    text: "canary-motd",
    from: (visibility) => higher(visibility.roster, "staff"),
  },
  "Steam id of who killed an NPC": {
    text: killer.steamId,
    from: (visibility) => lower(visibility.presence, visibility.profiles),
  },
  "place of an NPC's death": { text: "2345.5625", from: () => "staff" },
  "Steam id on the live map": {
    text: mapped.steamId,
    from: ({ layers, liveMap }) => higher(layers.players, higher(liveMap.audience, "staff")),
  },
  "place on the live map": {
    text: "3456.5625",
    from: ({ layers, liveMap }) => higher(layers.players, higher(liveMap.audience, "staff")),
  },
  "Steam id of who owns a base": {
    text: owner.steamId,
    from: ({ layers, liveMap }) => higher(layers.bases, higher(liveMap.audience, "staff")),
  },
};

let server: TestServer;
let serverId: number;
let signedIn: Readonly<Record<Exclude<CallerName, "anonymous">, SignedIn>>;
let profileId: number;

const saveId = Date.UTC(2026, 0, 1, 19);
const clan = { clanId: "17", created: "1764542400", name: "Owls" };

beforeAll(async () => {
  server = await startTestServer();
  const [loggedIn, player, editor, moderator, admin] = await Promise.all([
    signIn(server),
    signIn(server),
    signIn(server, { role: "editor" }),
    signIn(server, { role: "moderator" }),
    signIn(server, { role: "admin", username: "canary-admin" }),
  ]);
  signedIn = { logged_in: loggedIn, player, editor, moderator, admin };
  const elsewhere = await signIn(server, { username: "canary-user" });
  serverId = await plantServer({});
  await plantWorld(serverId);
  await untilLive();
  const unlistedId = await plantServer({ name: "canary-unlisted", listed: false });
  await plantHidden(unlistedId);
  const rules = [{ stat: "playersKilled", topN: 1, text: "canary-title" }];
  await asAdmin(`PUT /admin/survival/servers/${unlistedId}/titles`, { mode: "all", rules });
  for (const [{ steamId, name }, { userId }] of [
    [own, player],
    [linkedElsewhere, elsewhere],
  ] as const) {
    await server.context.models.SteamLink.create({ steamId, userId, name, serverId });
  }
  await plantForAnother(elsewhere.userId);
  const body = { key: "forest-boss", displayName: "Forest boss", kit: "canary-kit" };
  const made = await callRoute(server, "POST /admin/survival/npcs", {
    body,
    headers: admin.headers,
  });
  profileId = (made.body as { profile: { id: number } }).profile.id;
});
afterAll(() => server.stop());

async function plantServer(given: object): Promise<number> {
  const { id } = await buildSurvivalServer(server, given);
  const body = {
    enabled: true,
    token: "canary-token",
    baseUrl: "http://canary-base.test:8080",
    wsUrl: "ws://canary-socket.test:8080/v1/stream",
  };
  const { headers } = signedIn.admin;
  const changed = await callRoute(server, `PUT /admin/survival/servers/${id}`, { body, headers });
  expect(changed.status).toBe(200);
  return id;
}

const asAdmin = async (route: string, body: object): Promise<void> => {
  const answered = await callRoute(server, route, { body, headers: signedIn.admin.headers });
  if (answered.status >= 300) throw new Error(answered.text);
};

/** Grants a permission and the membership in a group to another user. */
async function plantForAnother(userId: number): Promise<void> {
  const { steamId } = linkedElsewhere;
  const group = { name: "canary-group", title: "Group", rank: 1, permissions: ["canary.of.group"] };
  await asAdmin("POST /admin/survival/permissions/groups", group);
  for (const granted of [
    { kind: "membership", value: "canary-group" },
    { kind: "permission", value: "canary.granted" },
  ]) {
    const grant = { ...granted, userId, steamId, reason: "canary-reason" };
    await asAdmin("POST /admin/survival/permissions/grants", grant);
  }
  await asAdmin("POST /admin/survival/zones/presets", {
    key: "arena",
    name: "Arena",
    shape: { kind: "sphere", radius: 75 },
    enterMessage: "canary-zone",
  });
  const { SurvivalEntitlement, SurvivalGrant } = server.context.models;
  const kit = { kit: "canary-entitled", uses: 1, dedupeKey: "canary" };
  await SurvivalEntitlement.create({ serverId, steamId, ...kit });
  expect(await SurvivalGrant.count({ where: { userId, steamId } })).toBe(2);
}

const hello = () =>
  survivalFrame("server.hello", {
    serverName: "Oak",
    worldReady: true,
    world: { level: "Procedural Map", seed: 77, size: 4_000, saveCreatedAt: saveId },
    helpers: [],
    capabilities: [],
  });

const ofWorld = { saveId } as const;

async function plantWorld(id: number): Promise<void> {
  const connectedAt = saveId + 1_000;
  const address = "10.99.88.77:50000";
  const place = { x: 1234.5625, y: 3, z: 1234.5625, grid: "Q77" };
  await storeSurvivalFrames(server.context, id, [
    { type: "plugin", connected: true, bootId: "boot" },
    hello(),
    survivalFrame("server.status", { state: "online", players: 1, maxPlayers: 100 }),
    survivalFrame("player.online", { players: [{ ...present, connectedAt, address }] }),
    survivalFrame("player.joined", { ...present, connectedAt, address }, ofWorld),
    survivalFrame("player.respawned", { ...present, ...place, bag: true }, ofWorld),
    survivalFrame(
      "player.died",
      { victim: present, killer: { kind: "player", ...present, address }, ...place },
      ofWorld,
    ),
    survivalFrame(
      "player.chat",
      { ...present, channel: "global", message: "canary-chat" },
      ofWorld,
    ),
    survivalFrame("player.chat", { ...present, channel: "team", message: "canary-team" }, ofWorld),
    survivalFrame("player.reported", {
      reporter: linkedElsewhere,
      target: present,
      subject: "canary-report",
      message: "canary-report",
    }),
    survivalFrame("plugin.failed", { name: "Kits", errors: [{ message: "canary-plugin" }] }),
    survivalFrame("config.outcome", {
      writeId: "1",
      plugin: "Kits",
      ok: false,
      phase: "load",
      logTail: ["canary-log"],
    }),
    survivalFrame(
      "survival.npc.died",
      {
        netId: "1",
        profile: "forest-boss",
        killer,
        contributors: [{ ...killer, damage: 100 }],
        x: 2345.5625,
        z: 2345.5625,
        alive: 0,
      },
      ofWorld,
    ),
    survivalFrame("player.tally", {
      saveId,
      tallies: [ranked, own, { ...staffPlayer, staff: true }].map((one) => ({
        ...one,
        stats: { playersKilled: 3, npcKills: 2 },
        playtimeSec: 600,
      })),
    }),
    survivalFrame("clan.board", {
      at: saveId,
      clans: [{ ...clan, score: "10", color: 1, members: 1 }],
      limit: 100,
    }),
    survivalFrame("clan.roster", {
      ...clan,
      motd: "canary-motd",
      roles: [{ roleId: 1, rank: 1, name: "Leader" }],
      members: [{ ...member, roleId: 1, joinedAt: saveId, online: true, notes: "canary-note" }],
    }),
    survivalFrame("map.info", {
      saveId,
      worldSize: 4_000,
      monuments: [{ label: "launchsite", name: "Launch Site", x: 1, z: 2 }],
    }),
    survivalFrame("map.live", {
      at: saveId,
      events: [],
      players: [{ ...mapped, x: 3456.5625, z: 3456.5625 }],
      bases: [{ id: "1", x: 3456.5625, z: 3456.5625, owner: owner.steamId, auth: [owner.steamId] }],
    }),
  ]);
}

/**
 * Waits until live positions are known. They are shown only if ingest seems to be connected to the
 * server.
 */
async function untilLive(): Promise<void> {
  const beatAt = clockNowPlus(3_600_000);
  const connected = { state: "connected", pluginConnected: true, owner: "test", beatAt } as const;
  await changeSurvivalSource(server, serverId, connected);
  const asked = `GET /public/survival/servers/${serverId}/map/live`;
  await waitUntil("positions are known", async () =>
    (await saidTo("admin", asked)).includes(mapped.steamId),
  );
}

async function plantHidden(id: number): Promise<void> {
  const connectedAt = saveId + 1_000;
  await storeSurvivalFrames(server.context, id, [
    { type: "plugin", connected: true, bootId: "boot" },
    hello(),
    survivalFrame("player.online", { players: [{ ...hidden, connectedAt }] }),
    survivalFrame("player.joined", { ...hidden, connectedAt }, ofWorld),
    survivalFrame(
      "survival.npc.died",
      { netId: "2", profile: "forest-boss", killer: hidden, alive: 0 },
      ofWorld,
    ),
    survivalFrame("player.tally", {
      saveId,
      tallies: [{ ...hidden, stats: { playersKilled: 9 }, playtimeSec: 600 }],
    }),
  ]);
}

/** Values for the parameters of routes. Add the parameters of new routes here. */
const named: Readonly<Record<string, () => string | number>> = {
  id: () => serverId,
  steamId: () => ranked.steamId,
  externalId: () => `${serverId}-${clan.clanId}-${clan.created}`,
  key: () => "forest-boss",
};

const isOfPlayers = ({ path }: Route): boolean =>
  /^\/api\/v1\/(?:public|player)\/survival\//.test(path);

const namesIn = ({ path }: Pick<Route, "path">): string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? "");

const matrix = routes.filter(isOfPlayers);

/**
 * Returns requests of a route whose answers contain as much as possible. For a route with a player,
 * one request is about a hidden player.
 */
const samplesOf = (route: Route): string[] =>
  namesIn(route).includes("steamId")
    ? [sampleOf(route), sampleOf(route, { ...named, steamId: () => hidden.steamId })]
    : [sampleOf(route)];

function sampleOf({ method, path, query: asked }: Route, given = named): string {
  const filled = path.replaceAll(/:(\w+)/g, (_all, name: string) => String(given[name]?.()));
  const keys = Object.keys((asked?.describe() as { keys?: object } | undefined)?.keys ?? {});
  const search = keys.includes("limit") ? "?limit=100" : "";
  return `${method.toUpperCase()} ${filled.replace("/api/v1", "")}${search}`;
}

const isOfStaff = ({ path }: Route): boolean =>
  path.startsWith("/api/v1/admin/survival/") || path === "/api/v1/admin/users/:id/survival/reports";

const staffRoutes = routes.filter(isOfStaff);

const namedToStaff: Readonly<Record<string, () => string | number>> = {
  id: () => serverId,
  serverId: () => serverId,
  steamId: () => linkedElsewhere.steamId,
  plugin: () => "Kits",
  writeId: () => "0b7c1f5e-6d0a-4c3e-9a51-2f8f6f3f7d10",
  eventId: () => 1,
  placementId: () => 1,
  leaseId: () => "0b7c1f5e-6d0a-4c3e-9a51-2f8f6f3f7d10",
  stat: () => "playersKilled",
};

const staffSampleOf = (route: Route): string =>
  sampleOf(
    route,
    route.path.includes("/npcs/profiles/")
      ? { ...namedToStaff, id: () => profileId }
      : namedToStaff,
  );

/**
 * Returns true for the reads of the public and the player API. Streams are left out, because they
 * never end; another test covers them.
 */
const isReadByPlayers = ({ method, path }: Route): boolean =>
  method === "get" && /^\/api\/v1\/(?:public|player)\//.test(path) && !path.endsWith("/stream");

const ofOthers = new Proxy<Readonly<Record<string, () => string | number>>>(
  {},
  { get: () => () => 1 },
);

/** Returns a complete answer as text, with its headers. */
async function saidTo(name: CallerName, asked: string): Promise<string> {
  const headers = name === "anonymous" ? {} : signedIn[name].headers;
  if (asked.endsWith("/stream")) return streamedTo(headers, asked.replace("GET ", ""));
  const body = asked.startsWith("GET") ? undefined : {};
  const answer = await callRoute(server, asked, { headers, body });
  return `${JSON.stringify([...answer.headers])} ${answer.text}`;
}

/** Returns everything that a stream sends from the first event on, up to the last state. */
async function streamedTo(
  headers: Readonly<Record<string, string>>,
  path: string,
): Promise<string> {
  const client = await openStream(`${server.url}/api/v1${path}`, { headers, lastEventId: 0 });
  for (const state of ["live", "online"]) await client.waitFor(({ event }) => event === state);
  client.close();
  return JSON.stringify(client.blocks);
}

const show = async (visibility: SurvivalVisibility): Promise<void> => {
  const { headers } = signedIn.admin;
  const body = visibility;
  const changed = await callRoute(server, "PUT /admin/survival/visibility", { body, headers });
  expect(changed.status).toBe(200);
};

const maySee = (name: CallerName, from: Rung | "nobody"): boolean =>
  from !== "nobody" && isInAudience(rungOf[name], from);

describe("the public and player routes of survival servers", () => {
  it("have a sample value for every path parameter", () => {
    const unknown = matrix.flatMap(namesIn).filter((name) => !Object.hasOwn(named, name));
    expect([unknown, matrix.length >= 17]).toEqual([[], true]);
  });

  const tried = Object.keys(configs).flatMap((config) => callers.map((name) => [config, name]));

  it.each(tried as [string, CallerName][])(
    "with the visibility %s show %s all data that the caller may see and no other data",
    async (config, name) => {
      const visibility = configs[config] ?? defaultSurvivalVisibility;
      await show(visibility);
      const leaks: string[] = [];
      const seen = new Set<string>();
      for (const asked of matrix.flatMap(samplesOf)) {
        const said = await saidTo(name, asked);
        for (const [what, { text, from }] of Object.entries(canaries)) {
          if (!said.includes(text)) continue;
          if (maySee(name, from(visibility))) seen.add(what);
          else leaks.push(`${asked}: ${what}`);
        }
      }
      const due = Object.keys(canaries).filter((what) =>
        maySee(name, canaries[what]?.from(visibility) ?? "nobody"),
      );
      expect({ leaks, unseen: due.filter((what) => !seen.has(what)) }).toEqual({
        leaks: [],
        unseen: [],
      });
    },
  );

  it("include every route of survival servers that is not a staff route", () => {
    const all = routes.filter(({ path }) => path.includes("survival"));
    expect(all.filter((route) => !isOfPlayers(route) && !isOfStaff(route))).toEqual([]);
  });

  it.each(callers)(
    "are the only routes with restricted data, because all other routes show %s only permitted data",
    async (name) => {
      await show(defaultSurvivalVisibility);
      const leaks: string[] = [];
      const others = routes.filter((route) => isReadByPlayers(route) && !isOfPlayers(route));
      expect(others.length).toBeGreaterThan(40);
      for (const asked of others.map((route) => sampleOf(route, ofOthers))) {
        const said = await saidTo(name, asked);
        for (const [what, { text, from }] of Object.entries(canaries)) {
          const isOwnName = name === "admin" && what === "user name of an administrator";
          if (said.includes(text) && !isOwnName && !maySee(name, from(defaultSurvivalVisibility))) {
            leaks.push(`${asked}: ${what}`);
          }
        }
      }
      expect(leaks).toEqual([]);
    },
  );

  it("do not show the token of a sidecar, and neither do the staff routes to an administrator", async () => {
    const asked = staffRoutes.filter(({ method }) => method === "get").map(staffSampleOf);
    expect([asked.length >= 20, asked.filter((one) => one.includes("undefined"))]).toEqual([
      true,
      [],
    ]);
    for (const one of asked) {
      const tellsIt = (await saidTo("admin", one)).includes("canary-token");
      expect([one, tellsIt]).toEqual([one, false]);
    }
  });

  it("add no data to the event streams of the shard", async () => {
    const streams = await Promise.all(
      (
        [
          ["/public/shard/stream", {}],
          ["/public/shard/stream", signedIn.admin.headers],
          ["/admin/shardlink/stream", signedIn.admin.headers],
        ] as const
      ).map(([path, headers]) => openStream(`${server.url}/api/v1${path}`, { headers })),
    );
    const kindOf = ({ data }: Block) => (data as { kind?: string } | undefined)?.kind;
    const broadcast = { text: "The gates open", hue: 1_153, access: "Player" };
    await plantWorld(serverId);
    await ingestTestEvents(server.context, [{ kind: "world.broadcast", payload: broadcast }]);
    for (const stream of streams) {
      await stream.waitFor((block) => kindOf(block) === "world.broadcast");
      const said = JSON.stringify(stream.blocks);
      const planted = Object.keys(canaries).filter((what) =>
        said.includes(canaries[what]?.text ?? "?"),
      );
      const kinds = stream.blocks.map(kindOf).filter((kind) => kind !== undefined);
      expect([planted, kinds.filter((kind) => findSurvivalKind(kind))]).toEqual([[], []]);
      stream.close();
    }
  });

  it("are tested with texts that staff routes show to administrators", async () => {
    const asked = [
      "GET /admin/survival/servers",
      `GET /admin/survival/servers/${serverId}/events?limit=100`,
      `GET /admin/survival/npcs/profiles/${profileId}`,
      `GET /admin/survival/permissions/users/${linkedElsewhere.steamId}`,
      "GET /admin/survival/permissions/grants",
      "GET /admin/survival/zones",
    ];
    const all = await Promise.all(asked.map((one) => saidTo("admin", one)));
    const said = all.join("\n");
    const planted = [
      "address of a control plane",
      "address of a socket",
      "name of a server that is not listed",
      "Steam id that another user linked",
      "user name of an administrator",
      "words of a report",
      "fault of a plugin",
      "kit of an NPC",
      "group that another was put into",
      "permission of that group",
      "permission that another was granted",
      "why it was granted",
      "words of a zone",
    ];
    expect(planted.filter((what) => !said.includes(canaries[what]?.text ?? "?"))).toEqual([]);
  });
});
