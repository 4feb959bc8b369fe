import type { Feed } from "../../shared/survival/feed/feed.ts";
import type { Leaderboard } from "../../shared/survival/leaderboard/leaderboard.ts";
import { shownName } from "../../shared/survival/players/shown-name.ts";
import type { Presence } from "../../shared/survival/presence/read-presence.ts";
import type { ServerRecord } from "../../shared/survival/servers/read-servers.ts";
import { shownSeed } from "../../shared/survival/servers/shown-seed.ts";
import { statNames, type StatName } from "../../shared/survival/tallies/stat-names.ts";
import { awaitedWipe } from "../../shared/survival/wipes/next-wipe.ts";
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
 *         next: { type: integer, description: What `before` takes for more; absent at the end. }
 *         hidden: { type: boolean, description: Whether what tells who is there was left out. }
 */
export const viewFeed = ({ events, next, hidden }: Feed) => ({
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
 *           description: Null while there is no world.
 *           oneOf: [{ type: integer, nullable: true }, { type: string, enum: [all] }]
 *         categories: { type: array, items: { $ref: '#/components/schemas/SurvivalStat' } }
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
 *               value: { type: integer }
 *               title:
 *                 type: string
 *                 description: The first chat title that the player holds now; absent without one.
 *                 example: Assassin
 *         total: { type: integer }
 *         updatedAt: { type: string, format: date-time, nullable: true }
 *     SurvivalStat: { type: string, example: playersKilled }
 */
export const viewLeaderboard = (
  stat: StatName,
  { wipe, entries, total, updatedAt }: Leaderboard,
) => ({
  stat,
  wipe,
  categories: statNames,
  entries: entries.map((entry) => ({ ...entry, name: shownName(entry.name, entry.steamId) })),
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
 *               since: { type: string, format: date-time }
 *               clan:
 *                 description: Absent without one, and for a caller who may not see who is in a clan.
 *                 allOf: [{ $ref: '#/components/schemas/ClanName' }]
 *         hidden: { type: boolean }
 *         count: { type: integer }
 *         audience: { $ref: '#/components/schemas/Rung' }
 */
export const viewPresence = ({ players, ...rest }: Presence) => ({
  players: players.map(({ steamId, name, connectedAt, clan }) => ({
    steamId,
    name: shownName(name, steamId),
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
 *         nextWipe: { type: string, format: date-time, nullable: true }
 *         schedule: { $ref: '#/components/schemas/WipeSchedule' }
 *     WipeSchedule:
 *       type: object
 *       additionalProperties: false
 *       required: [wipeRule, wipeDay, wipeTime, wipeTimezone, wipeCron, wipeAt]
 *       properties:
 *         wipeRule: { $ref: '#/components/schemas/WipeRule' }
 *         wipeDay: { type: integer, nullable: true }
 *         wipeTime: { type: string, nullable: true }
 *         wipeTimezone: { type: string, nullable: true }
 *         wipeCron: { type: string, nullable: true }
 *         wipeAt: { type: string, format: date-time, nullable: true }
 *     SurvivalWipe:
 *       type: object
 *       additionalProperties: false
 *       required: [id, serverId, saveId, startedAt, endedAt, kind, forced, saveProtocol, level, seed,
 *         worldSize, mapHash, players, peak, leaders]
 *       properties:
 *         id: { type: integer }
 *         serverId: { type: integer }
 *         saveId: { type: integer, description: "When the world was made, in epoch milliseconds" }
 *         startedAt: { type: string, format: date-time }
 *         endedAt: { type: string, format: date-time, nullable: true }
 *         kind: { type: string, enum: [map, full, unknown] }
 *         forced: { type: boolean }
 *         saveProtocol: { type: integer, nullable: true }
 *         level: { type: string, nullable: true }
 *         seed: { type: string, nullable: true }
 *         worldSize: { type: integer, nullable: true }
 *         mapHash: { type: string, nullable: true }
 *         players: { type: integer, description: How many played in it. }
 *         peak: { type: integer, nullable: true, description: The most at once. }
 *         leaders:
 *           type: object
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
 *         value: { type: integer }
 */
export const viewWipes = ({ readAt, server, wipe }: ServerRecord, wipes: readonly WipeRecord[]) => {
  const { wipeRule, wipeDay, wipeTime, wipeTimezone, wipeCron, wipeAt } = server;
  return {
    wipes: wipes.map((record) => viewWipe(record, server)),
    nextWipe: awaitedWipe(server, readAt, wipe?.startedAt ?? null).nextWipe,
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
    seed: shownSeed(server, seed),
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
        name: shownName(leader.name, leader.steamId),
        value: leader.value,
      }
    : null;
