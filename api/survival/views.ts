import { toVisibleSeed } from "../../shared/survival/server-locks.ts";
import {
  frameworkOf,
  isModded,
  type ServerRecord,
} from "../../shared/survival/servers/read-servers.ts";
import type { CallerAccess } from "../../shared/survival/visibility/visibility.ts";
import { findDisplayedWipe } from "../../shared/survival/wipes/next-wipe.ts";

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
 *         slug: { type: string, example: main, description: Unique name of the server in URLs. }
 *         name: { type: string, example: Main }
 *         description:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Text about the server for players. If staff have not set a text, the name that the
 *             game server reports.
 *         region: { type: string, nullable: true, example: EU }
 *         framework:
 *           type: string
 *           nullable: true
 *           enum: [oxide, carbon, vanilla, null]
 *           description: Mod loader of the game server. Null before the server's first report.
 *         modded: { $ref: '#/components/schemas/Modded' }
 *         connect:
 *           type: string
 *           nullable: true
 *           example: play.example.org:28015
 *           description: Host and port to which players connect, as host:port. Null if not public.
 *         online: { type: boolean, description: Whether the game is running and reports to the service. }
 *         onlineSince:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: Since when the server has been online. Null while the server is offline.
 *         lastSeenAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: >-
 *             When the game server last reported its status. Null before the first report.
 *         players:
 *           type: integer
 *           nullable: true
 *           description: Number of players on the server. Null while the server is offline.
 *         maxPlayers:
 *           type: integer
 *           nullable: true
 *           description: Maximum number of players. Null while the server is offline.
 *         queued:
 *           type: integer
 *           nullable: true
 *           description: Number of players who wait for a free place. Null while unknown.
 *         joining:
 *           type: integer
 *           nullable: true
 *           description: Number of players who are loading the world. Null while unknown.
 *         map: { $ref: '#/components/schemas/SurvivalWorld' }
 *         mapHash:
 *           type: string
 *           nullable: true
 *           description: SHA-256 of the map image of the current world. Null if there is no image.
 *         lastWipe:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When the current world was created.
 *         nextWipe:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: >-
 *             When the next wipe is due. When this time has passed, the field keeps its value until
 *             the new world exists, but for an hour at most. Null if no wipe is scheduled.
 *         nextWipeSource:
 *           type: string
 *           nullable: true
 *           enum: [at, cron, rule, null]
 *           description: >-
 *             Part of the wipe schedule that determines `nextWipe`. `at`: `wipeAt`. `cron`:
 *             `wipeCron`. `rule`: the weekly, biweekly or monthly rule. Null if no wipe is
 *             scheduled.
 *         wipeRule: { $ref: '#/components/schemas/WipeRule' }
 *         wipeTimezone:
 *           type: string
 *           nullable: true
 *           example: Europe/London
 *           description: IANA time zone in which the times of the schedule apply.
 *         tabs: { $ref: '#/components/schemas/SurvivalTabs' }
 *         sort: { type: integer, description: 'Position of the server in lists, lowest first.' }
 *     Modded:
 *       type: boolean
 *       nullable: true
 *       description: >-
 *         Whether the server has loaded a mod that changes the gameplay, such as kits or zones. The
 *         game lists such a server as modded. Null before the server's first report.
 *     SurvivalTabs:
 *       type: object
 *       description: Which parts of the server (tabs of its page) the caller may read.
 *       additionalProperties: false
 *       required: [feed, leaderboard, online, wipes, map, clans]
 *       properties:
 *         feed: { type: boolean }
 *         leaderboard: { type: boolean }
 *         online: { type: boolean }
 *         wipes: { type: boolean }
 *         map: { type: boolean }
 *         clans: { type: boolean }
 *     WipeRule:
 *       type: string
 *       nullable: true
 *       enum: [weekly, biweekly, monthly, cron, once, null]
 *       description: >-
 *         Rule by which the time of the next wipe is determined. `weekly`: each `wipeDay`.
 *         `biweekly`: the first, third and fifth `wipeDay` of a month. `monthly`: the first
 *         `wipeDay` of a month. `cron`: by `wipeCron`. `once`: at `wipeAt` only. Null if there is
 *         no schedule.
 *     SurvivalWorld:
 *       type: object
 *       nullable: true
 *       description: The current world of the server. Null before the server's first report.
 *       additionalProperties: false
 *       required: [level, seed, worldSize, custom]
 *       properties:
 *         level:
 *           type: string
 *           nullable: true
 *           example: Procedural Map
 *           description: Name of the game level (the type of map).
 *         seed:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Seed of the map. Null if the seed is unknown or if the site hides the seed.
 *         worldSize:
 *           type: integer
 *           nullable: true
 *           example: 4250
 *           description: Length of each side of the world in meters. Null while unknown.
 *         custom:
 *           type: boolean
 *           description: Whether the map is custom-made, and not generated from a seed.
 */
export const viewServer = (record: ServerRecord, view: CallerAccess) => {
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
    ...findDisplayedWipe(server, readAt, wipe?.startedAt ?? null),
    wipeRule,
    wipeTimezone,
    tabs: tabsOf(view),
    sort,
  };
};

/** Returns the numbers of players; null while the server is offline, because old numbers would look current. */
const countsOf = ({ status }: ServerRecord) => {
  const { players = null, maxPlayers = null, queued, joining } = status ?? {};
  return { players, maxPlayers, queued: queued ?? null, joining: joining ?? null };
};

function worldOf({ server, hello }: ServerRecord) {
  if (!hello) return null;
  const { level = null, seed, size, levelUrl } = hello.world;
  return {
    level,
    seed: toVisibleSeed(server, seed),
    worldSize: size ?? null,
    custom: Boolean(levelUrl),
  };
}

const tabsOf = ({ visibility, reaches }: CallerAccess) => {
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
