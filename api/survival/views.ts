import type { ServerRecord } from "../../shared/survival/servers/read-servers.ts";
import type { View } from "../../shared/survival/visibility/read-visibility.ts";
import { awaitedWipe } from "../../shared/survival/wipes/next-wipe.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     SurvivalServer:
 *       type: object
 *       additionalProperties: false
 *       required: [id, slug, name, description, region, framework, modded, connect, online, onlineSince,
 *         lastSeenAt, players, maxPlayers, queued, joining, map, mapHash, lastWipe, nextWipe,
 *         nextWipeSource, wipeRule, wipeTimezone, tabs, sort]
 *       properties:
 *         id: { type: integer }
 *         slug: { type: string, example: main }
 *         name: { type: string, example: Main }
 *         description: { type: string, nullable: true }
 *         region: { type: string, nullable: true, example: EU }
 *         framework: { type: string, nullable: true, enum: [oxide, carbon, vanilla, null] }
 *         modded: { $ref: '#/components/schemas/Modded' }
 *         connect: { type: string, nullable: true, example: 'play.example.org:28015' }
 *         online: { type: boolean }
 *         onlineSince: { type: string, format: date-time, nullable: true }
 *         lastSeenAt: { type: string, format: date-time, nullable: true }
 *         players: { type: integer, nullable: true, description: Null while the server is offline. }
 *         maxPlayers: { type: integer, nullable: true }
 *         queued: { type: integer, nullable: true }
 *         joining: { type: integer, nullable: true }
 *         map: { $ref: '#/components/schemas/SurvivalWorld' }
 *         mapHash: { type: string, nullable: true }
 *         lastWipe: { type: string, format: date-time, nullable: true }
 *         nextWipe: { type: string, format: date-time, nullable: true }
 *         nextWipeSource: { type: string, nullable: true, enum: [at, cron, rule, null] }
 *         wipeRule: { $ref: '#/components/schemas/WipeRule' }
 *         wipeTimezone: { type: string, nullable: true, example: Europe/London }
 *         tabs: { $ref: '#/components/schemas/SurvivalTabs' }
 *         sort: { type: integer }
 *     Modded:
 *       type: boolean
 *       nullable: true
 *       description: >
 *         Whether mods are loaded that change play, as kits do: the game lists such a server as modded.
 *         Null before its first word.
 *     SurvivalTabs:
 *       type: object
 *       description: What the caller finds something in.
 *       additionalProperties: false
 *       required: [feed, leaderboard, online, wipes, map, clans]
 *       properties:
 *         feed: { type: boolean }
 *         leaderboard: { type: boolean }
 *         online: { type: boolean }
 *         wipes: { type: boolean }
 *         map: { type: boolean }
 *         clans: { type: boolean }
 *     WipeRule: { type: string, nullable: true, enum: [weekly, biweekly, monthly, cron, once, null] }
 *     SurvivalWorld:
 *       type: object
 *       nullable: true
 *       additionalProperties: false
 *       required: [level, seed, worldSize, custom]
 *       properties:
 *         level: { type: string, nullable: true, example: Procedural Map }
 *         seed: { type: string, nullable: true, description: Null where the server does not show it. }
 *         worldSize: { type: integer, nullable: true, example: 4250 }
 *         custom: { type: boolean, description: Whether somebody drew the map. }
 */
export const viewServer = (record: ServerRecord, view: View) => {
  const { readAt, server, online, state, hello, wipe } = record;
  const { id, slug, name, description, region, connect, sort, wipeRule, wipeTimezone } = server;
  return {
    id,
    slug,
    name,
    description: description ?? hello?.serverName ?? null,
    region,
    framework: frameworkOf(record),
    modded: moddedOf(record),
    connect,
    online,
    onlineSince: state.onlineSince,
    lastSeenAt: state.lastSeenAt,
    ...countsOf(record),
    map: worldOf(record),
    mapHash: wipe?.mapHash ?? null,
    lastWipe: wipe?.startedAt ?? null,
    ...awaitedWipe(server, readAt, wipe?.startedAt ?? null),
    wipeRule,
    wipeTimezone,
    tabs: tabsOf(view),
    sort,
  };
};

/** Null while the server is off: a figure of before would be taken for one of now. */
const countsOf = ({ status }: ServerRecord) => {
  const { players = null, maxPlayers = null, queued, joining } = status ?? {};
  return { players, maxPlayers, queued: queued ?? null, joining: joining ?? null };
};

function frameworkOf({ hello }: ServerRecord): "oxide" | "carbon" | "vanilla" | null {
  if (!hello) return null;
  const name = hello.framework?.name.toLowerCase();
  if (name === "oxide" || name === "umod") return "oxide";
  return name === "carbon" ? "carbon" : "vanilla";
}

/** Mods that change how the game is played; those of chat, clans and maps leave it alone. */
const playChanging = new Set(["zones", "pve", "kits", "npcs", "quests"]);

const moddedOf = ({ hello }: ServerRecord): boolean | null =>
  hello && (hello.helpers ?? []).some(({ id, loaded }) => loaded && playChanging.has(id));

function worldOf({ server, hello }: ServerRecord) {
  if (!hello) return null;
  const { level = null, seed, size, levelUrl } = hello.world;
  return {
    level,
    seed: server.showSeed && seed !== null && seed !== undefined ? String(seed) : null,
    worldSize: size ?? null,
    custom: Boolean(levelUrl),
  };
}

const tabsOf = ({ visibility, reaches }: View) => {
  const presence = reaches(visibility.presence);
  return {
    feed: presence,
    leaderboard: true,
    online: presence,
    wipes: true,
    map: true,
    clans: true,
  };
};

/**
 * A server as those see it who run it. The token never leaves.
 *
 * @openapi
 * components:
 *   schemas:
 *     AdminSurvivalServer:
 *       type: object
 *       additionalProperties: false
 *       required: [id, slug, name, description, region, framework, modded, connect, online, onlineSince,
 *         lastSeenAt, players, maxPlayers, queued, joining, map, mapHash, lastWipe, nextWipe,
 *         nextWipeSource, wipeRule, wipeTimezone, tabs, sort, enabled, listed, baseUrl, wsUrl,
 *         hasToken, protocol, link, helpers, wipeDay, wipeTime, wipeCron, wipeAt, titleMode,
 *         titleMax, permissionSync, showSeed, ignoreStaff, createdAt, updatedAt]
 *       properties:
 *         id: { type: integer }
 *         slug: { type: string }
 *         name: { type: string }
 *         description: { type: string, nullable: true }
 *         region: { type: string, nullable: true }
 *         framework: { type: string, nullable: true, enum: [oxide, carbon, vanilla, null] }
 *         modded: { $ref: '#/components/schemas/Modded' }
 *         connect: { type: string, nullable: true }
 *         online: { type: boolean }
 *         onlineSince: { type: string, format: date-time, nullable: true }
 *         lastSeenAt: { type: string, format: date-time, nullable: true }
 *         players: { type: integer, nullable: true }
 *         maxPlayers: { type: integer, nullable: true }
 *         queued: { type: integer, nullable: true }
 *         joining: { type: integer, nullable: true }
 *         map: { $ref: '#/components/schemas/SurvivalWorld' }
 *         mapHash: { type: string, nullable: true }
 *         lastWipe: { type: string, format: date-time, nullable: true }
 *         nextWipe: { type: string, format: date-time, nullable: true }
 *         nextWipeSource: { type: string, nullable: true, enum: [at, cron, rule, null] }
 *         wipeRule: { $ref: '#/components/schemas/WipeRule' }
 *         wipeTimezone: { type: string, nullable: true }
 *         tabs: { $ref: '#/components/schemas/SurvivalTabs' }
 *         sort: { type: integer }
 *         enabled: { type: boolean, description: Whether ingest takes it in. }
 *         listed: { type: boolean, description: Whether the public sees it. }
 *         baseUrl: { type: string }
 *         wsUrl: { type: string }
 *         hasToken: { type: boolean }
 *         protocol: { type: integer, example: 13 }
 *         link: { $ref: '#/components/schemas/SurvivalLinkState' }
 *         helpers: { type: array, items: { $ref: '#/components/schemas/SurvivalHelper' } }
 *         wipeDay: { type: integer, nullable: true, description: 0 is Sunday. }
 *         wipeTime: { type: string, nullable: true, example: '19:00' }
 *         wipeCron: { type: string, nullable: true }
 *         wipeAt: { type: string, format: date-time, nullable: true }
 *         titleMode: { type: string, enum: [first, all, upTo] }
 *         titleMax: { type: integer, nullable: true }
 *         permissionSync: { type: boolean }
 *         showSeed: { type: boolean }
 *         ignoreStaff: { type: boolean }
 *         createdAt: { type: string, format: date-time }
 *         updatedAt: { type: string, format: date-time }
 *     SurvivalLinkState:
 *       type: object
 *       additionalProperties: false
 *       required: [status, since, lastEventAt, lastSeq, bootId, epoch, worldReady, pluginVersion, npcApi,
 *         error]
 *       properties:
 *         status: { $ref: '#/components/schemas/LinkStatus' }
 *         since:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: Since when the link stands so.
 *         lastEventAt: { type: string, format: date-time, nullable: true }
 *         lastSeq: { type: integer, nullable: true }
 *         bootId: { type: string, nullable: true }
 *         epoch: { type: string, nullable: true }
 *         worldReady: { type: boolean }
 *         pluginVersion: { type: string, nullable: true }
 *         npcApi: { type: integer, nullable: true }
 *         error: { type: string, nullable: true, description: Why it is not connected. }
 *     SurvivalHelper:
 *       type: object
 *       additionalProperties: false
 *       required: [id, name, version, loaded]
 *       properties:
 *         id: { type: string, example: zones }
 *         name: { type: string, nullable: true, example: ZoneManager }
 *         version: { type: string, nullable: true }
 *         loaded: { type: boolean }
 */
export const viewAdminServer = (record: ServerRecord, view: View) => {
  const { server, hello } = record;
  const { enabled, listed, baseUrl, wsUrl, protocol, wipeDay, wipeTime, wipeCron, wipeAt } = server;
  const { titleMode, titleMax, permissionSync, showSeed, ignoreStaff } = server;
  return {
    ...viewServer(record, view),
    description: server.description,
    enabled,
    listed,
    baseUrl,
    wsUrl,
    hasToken: server.tokenSealed !== null,
    protocol,
    link: viewLink(record),
    helpers: (hello?.helpers ?? []).map(({ id, name = null, version = null, loaded }) => ({
      id,
      name,
      version,
      loaded,
    })),
    wipeDay,
    wipeTime,
    wipeCron,
    wipeAt,
    titleMode,
    titleMax,
    permissionSync,
    showSeed,
    ignoreStaff,
    createdAt: server.createdAt,
    updatedAt: server.updatedAt,
  };
};

const viewLink = ({ link, linkSince, source, hello }: ServerRecord) => ({
  status: link,
  since: linkSince,
  lastEventAt: source.lastEventAt,
  lastSeq: source.seq,
  bootId: source.bootId,
  epoch: source.epoch,
  worldReady: hello?.worldReady ?? false,
  pluginVersion: hello?.plugin?.version ?? null,
  npcApi: hello?.npcApi ?? null,
  error: link === "connected" ? null : source.reason,
});
