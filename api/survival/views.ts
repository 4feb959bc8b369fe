import { frameworkOf, isModded } from "../../shared/survival/servers/mods.ts";
import type { ServerRecord } from "../../shared/survival/servers/read-servers.ts";
import { shownSeed } from "../../shared/survival/servers/shown-seed.ts";
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
    framework: hello && frameworkOf(hello),
    modded: hello && isModded(hello),
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

function worldOf({ server, hello }: ServerRecord) {
  if (!hello) return null;
  const { level = null, seed, size, levelUrl } = hello.world;
  return {
    level,
    seed: shownSeed(server, seed),
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
