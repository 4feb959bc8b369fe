import type { FeedPage } from "../../shared/survival/feed/feed.ts";
import { statNames, type StatName } from "../../shared/survival/kinds/stat-names.ts";
import { displayName } from "../../shared/survival/plain-texts.ts";
import type { Presence } from "../../shared/survival/players/presence.ts";
import type { Leaderboard } from "../../shared/survival/rankings/leaderboard.ts";
import { toVisibleSeed } from "../../shared/survival/server-locks.ts";
import type { ServerRecord } from "../../shared/survival/servers/read-servers.ts";
import { findDisplayedWipe } from "../../shared/survival/wipes/next-wipe.ts";
import type { Leader, WipeRecord } from "../../shared/survival/wipes/read-wipes.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     SurvivalFeed:
 *       type: object
 *       additionalProperties: false
 *       required: [events, hidden]
 *       properties:
 *         events: { type: array, items: { $ref: '#/components/schemas/SurvivalFeedEvent' } }
 *         next:
 *           type: integer
 *           description: 'Cursor for the next page: send it as `before`. Absent on the last page.'
 *         hidden:
 *           type: boolean
 *           description: >-
 *             Whether events that reveal who is on the server were left out because the caller may
 *             not see them.
 */
export const viewEventFeed = ({ events, next, hidden }: FeedPage) => ({
  events,
  ...(next !== undefined && { next }),
  hidden,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     SurvivalLeaderboard:
 *       type: object
 *       additionalProperties: false
 *       required: [stat, wipe, categories, entries, total, updatedAt]
 *       properties:
 *         stat: { $ref: '#/components/schemas/SurvivalStat' }
 *         wipe:
 *           description: Id of the ranked world, or `all`. Null if the server has no world yet.
 *           oneOf: [{ type: integer, nullable: true }, { type: string, enum: [all] }]
 *         categories:
 *           type: array
 *           items: { $ref: '#/components/schemas/SurvivalStat' }
 *           description: All stats that have a leaderboard.
 *         entries:
 *           type: array
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [rank, steamId, name, value]
 *             properties:
 *               rank: { type: integer }
 *               steamId: { $ref: '#/components/schemas/SteamId' }
 *               name: { type: string }
 *               value:
 *                 type: integer
 *                 description: >-
 *                   Value of the stat: seconds for `playtime`, meters for kill distances, a count
 *                   for all other stats.
 *               title:
 *                 type: string
 *                 description: >-
 *                   First chat title that the player holds in the current world. Absent if the
 *                   player holds no title.
 *                 example: Assassin
 *         total: { type: integer, description: Number of ranked players on all pages. }
 *         updatedAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When a value in the ranking last changed. Null if the ranking is empty.
 *     SurvivalStat:
 *       type: string
 *       example: playersKilled
 *       description: Name of a stat that the game counts for each player.
 */
export const viewLeaderboard = (
  stat: StatName,
  { wipe, entries, total, updatedAt }: Leaderboard,
) => ({
  stat,
  wipe,
  categories: statNames,
  entries: entries.map((entry) => ({ ...entry, name: displayName(entry.name, entry.steamId) })),
  total,
  updatedAt,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     SurvivalPresence:
 *       type: object
 *       additionalProperties: false
 *       required: [players, hidden, count, audience]
 *       properties:
 *         players:
 *           type: array
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [steamId, name, since]
 *             properties:
 *               steamId: { $ref: '#/components/schemas/SteamId' }
 *               name: { type: string }
 *               since:
 *                 type: string
 *                 format: date-time
 *                 description: When the player connected to the server.
 *               clan:
 *                 description: >-
 *                   Clan of the player. Absent if the player has no clan, and for callers below the
 *                   audience `roster`.
 *                 allOf: [{ $ref: '#/components/schemas/ClanName' }]
 *         hidden: { type: boolean, description: Whether the layers are hidden from the caller because the caller is below `audience`. }
 *         count: { type: integer, description: Number of players on the server. }
 *         audience: { $ref: '#/components/schemas/Rung' }
 */
export const viewPresence = ({ players, ...rest }: Presence) => ({
  players: players.map(({ steamId, name, connectedAt, clan }) => ({
    steamId,
    name: displayName(name, steamId),
    since: connectedAt,
    ...(clan && { clan }),
  })),
  ...rest,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     SurvivalWipes:
 *       type: object
 *       additionalProperties: false
 *       required: [wipes, nextWipe, schedule]
 *       properties:
 *         wipes: { type: array, items: { $ref: '#/components/schemas/SurvivalWipe' } }
 *         nextWipe:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When the next wipe is due. Null if no wipe is scheduled.
 *         schedule: { $ref: '#/components/schemas/WipeSchedule' }
 *     WipeSchedule:
 *       type: object
 *       description: Wipe schedule of the server. Fields that the rule does not use are null.
 *       additionalProperties: false
 *       required: [wipeRule, wipeDay, wipeTime, wipeTimezone, wipeCron, wipeAt]
 *       properties:
 *         wipeRule: { $ref: '#/components/schemas/WipeRule' }
 *         wipeDay: { type: integer, nullable: true, description: Weekday of the wipe. 0 is Sunday. }
 *         wipeTime:
 *           type: string
 *           nullable: true
 *           description: Time of day of the wipe, as HH:mm in `wipeTimezone`.
 *         wipeTimezone: { type: string, nullable: true, description: IANA time zone of the schedule. }
 *         wipeCron: { type: string, nullable: true }
 *         wipeAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: >-
 *             Time of a single wipe. The single wipe is the next wipe until its time has passed;
 *             then the rule applies.
 *     SurvivalWipe:
 *       type: object
 *       description: A world of a server, from one wipe to the next.
 *       additionalProperties: false
 *       required: [id, serverId, saveId, startedAt, endedAt, kind, forced, saveProtocol, level, seed,
 *         worldSize, mapHash, players, peak, leaders]
 *       properties:
 *         id: { type: integer }
 *         serverId: { type: integer }
 *         saveId:
 *           type: integer
 *           description: Id of the save, which is the time of its creation in epoch milliseconds.
 *         startedAt: { type: string, format: date-time }
 *         endedAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When the world ended. Null for the current world.
 *         kind:
 *           type: string
 *           enum: [map, full, unknown]
 *           description: >-
 *             Kind of the wipe with which this world began. `map`: players kept their blueprints.
 *             `full`: players lost their blueprints.
 *         forced:
 *           type: boolean
 *           description: >
 *             Whether a game update forced the wipe because the game could no longer load the old
 *             world.
 *         saveProtocol: { type: integer, nullable: true, description: Version of the format of the game's save. }
 *         level: { type: string, nullable: true }
 *         seed:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Seed of the map. Null if the seed is unknown or if the site hides the seed.
 *         worldSize: { type: integer, nullable: true, description: Length of each side of the world in meters. Null while unknown. }
 *         mapHash:
 *           type: string
 *           nullable: true
 *           description: >-
 *             SHA-256 of the world's map image. Send this hash as `hash` to `GET
 *             /public/survival/servers/{id}/map/image`. Null if the service has no image of this
 *             world.
 *         players: { type: integer, description: Number of players who played in this world. }
 *         peak:
 *           type: integer
 *           nullable: true
 *           description: >-
 *             Highest number of players who were on the server at the same time. Null while
 *             unknown.
 *         leaders:
 *           type: object
 *           description: >-
 *             Best player of each stat. The entry of a stat is null if no player has a value.
 *           additionalProperties: false
 *           required: [kills, playtime]
 *           properties:
 *             kills: { $ref: '#/components/schemas/SurvivalLeader' }
 *             playtime: { $ref: '#/components/schemas/SurvivalLeader' }
 *     SurvivalLeader:
 *       type: object
 *       nullable: true
 *       additionalProperties: false
 *       required: [steamId, name, value]
 *       properties:
 *         steamId: { $ref: '#/components/schemas/SteamId' }
 *         name: { type: string }
 *         value: { type: integer, description: 'Number of players killed, or number of seconds played.' }
 */
export const viewWipes = ({ readAt, server, wipe }: ServerRecord, wipes: readonly WipeRecord[]) => {
  const { wipeRule, wipeDay, wipeTime, wipeTimezone, wipeCron, wipeAt } = server;
  return {
    wipes: wipes.map((record) => viewWipe(record, server)),
    nextWipe: findDisplayedWipe(server, readAt, wipe?.startedAt ?? null).nextWipe,
    schedule: { wipeRule, wipeDay, wipeTime, wipeTimezone, wipeCron, wipeAt },
  };
};

const viewWipe = ({ wipe, players, leaders }: WipeRecord, server: ServerRecord["server"]) => {
  const { id, serverId, saveId, startedAt, endedAt, kind, forced, saveProtocol, level } = wipe;
  const { seed, worldSize, mapHash, peak } = wipe;
  const leaderIn = (stat: StatName) => viewLeader(leaders.find((leader) => leader.stat === stat));
  return {
    id,
    serverId,
    saveId,
    startedAt,
    endedAt,
    kind,
    forced,
    saveProtocol,
    level,
    seed: toVisibleSeed(server, seed),
    worldSize,
    mapHash,
    players,
    peak,
    leaders: { kills: leaderIn("playersKilled"), playtime: leaderIn("playtime") },
  };
};

const viewLeader = (leader: Leader | undefined) =>
  leader
    ? {
        steamId: leader.steamId,
        name: displayName(leader.name, leader.steamId),
        value: leader.value,
      }
    : null;
