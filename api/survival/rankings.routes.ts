import Joi from "joi";

import { limits } from "../../shared/platform/limits.ts";
import {
  type RankingQuery,
  readRankedProfiles,
  readRanking,
  requireRankedProfile,
  readOwnKills,
  readPlayerKills,
} from "../../shared/survival/npcs/rankings.ts";
import { requirePlayer } from "../../shared/survival/players/sightings.ts";
import { resolveWorldScope, type WorldQuery } from "../../shared/survival/rankings/scope.ts";
import { limitField, offsetField } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { steamIdParam, worldFields } from "./fields.ts";

const common = { set: "additive", tag: "Survival", method: "get" } as const;

const gated =
  "On servers that exclude staff from rankings, kills by players whom the game reports as staff " +
  "do not count. 403 `feature_locked` for callers below the audience `profiles`. 404 `not_found` " +
  "if the server or world is unknown, or the server is not listed. 429 `rate_limited` after too " +
  "many requests from the caller's IP address.";

const worldQuery = Joi.object<WorldQuery, true>(worldFields);

export const rankingsRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     NpcProfileRank:
   *       type: object
   *       additionalProperties: false
   *       required: [key, name, boss, kills]
   *       properties:
   *         key: { type: string, example: forest-boss }
   *         name: { type: string, example: Forest boss }
   *         boss: { type: boolean }
   *         kills: { type: integer, description: 'Number of kills of NPCs of this profile, by all players together.' }
   *         leader:
   *           type: object
   *           description: Player with the most kills. Absent if there are no kills.
   *           additionalProperties: false
   *           required: [steamId, name, kills]
   *           properties:
   *             steamId: { $ref: '#/components/schemas/SteamId' }
   *             name: { type: string }
   *             kills: { type: integer }
   */
  defineRoute({
    ...common,
    path: "/api/v1/public/survival/profiles",
    gate: "public",
    keepMs: 0,
    makesInTurn: true,
    limiters: ["ranking"],
    sees: "profiles",
    summary: "List the ranked NPC profiles",
    description: `Returns at most 1,000 NPC profiles, most kills first. ${gated}`,
    query: worldQuery,
    answers: {
      200: { enveloped: "profiles", shape: { listOf: "NpcProfileRank" } },
      403: "Error",
      404: "Error",
    },
    handle: async ({ query }, context) => ({
      profiles: await readRankedProfiles(query, context),
    }),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     NpcRanking:
   *       type: object
   *       additionalProperties: false
   *       required: [profile, entries, total]
   *       properties:
   *         profile: { $ref: '#/components/schemas/NpcProfileRank' }
   *         entries: { type: array, items: { $ref: '#/components/schemas/NpcRankingEntry' } }
   *         total: { type: integer, description: Number of ranked players on all pages. }
   *     NpcRankingEntry:
   *       type: object
   *       additionalProperties: false
   *       required: [rank, steamId, name, kills, lastAt]
   *       properties:
   *         rank: { type: integer, description: 'Rank of the player. Players with equal numbers of kills share a rank, as in 1, 2, 2, 4.' }
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         name: { type: string }
   *         kills: { type: integer }
   *         lastAt: { type: string, format: date-time, description: Time of the player's last kill of an NPC of this profile. }
   */
  defineRoute({
    ...common,
    path: "/api/v1/public/survival/profiles/:key/ranking",
    gate: "public",
    keepMs: 0,
    makesInTurn: true,
    limiters: ["ranking"],
    sees: "profiles",
    summary: "Get the ranking of an NPC profile",
    description:
      "Returns the players who have killed NPCs of the profile, with their numbers of kills, " +
      `most kills first. ${gated}`,
    params: Joi.object<{ key: string }, true>({
      key: Joi.string()
        .max(64)
        .required()
        .description("Key of the NPC profile, as `GET /public/survival/profiles` returns it."),
    }),
    query: Joi.object<RankingQuery, true>({
      ...worldFields,
      limit: limitField(limits.rankingPage),
      offset: offsetField,
    }),
    anyText: ["key"],
    answers: { 200: "NpcRanking", 403: "Error", 404: "Error" },
    find: ({ params }, context) => requireRankedProfile(params.key, context),
    handle: ({ params: { key }, query }, context) => readRanking(key, query, context),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     PlayerNpcKills:
   *       type: object
   *       additionalProperties: false
   *       required: [player, profiles]
   *       properties:
   *         player: { $ref: '#/components/schemas/SurvivalPerson' }
   *         profiles: { type: array, items: { $ref: '#/components/schemas/NpcKills' } }
   *     SurvivalPerson:
   *       type: object
   *       additionalProperties: false
   *       required: [steamId, name]
   *       properties:
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         name: { type: string }
   *     NpcKills:
   *       type: object
   *       additionalProperties: false
   *       required: [key, name, kills, rank]
   *       properties:
   *         key: { type: string, example: forest-boss }
   *         name: { type: string, example: Forest boss }
   *         kills: { type: integer }
   *         rank: { type: integer, description: Rank among all players. }
   */
  defineRoute({
    ...common,
    path: "/api/v1/public/survival/players/:steamId/profiles",
    gate: "public",
    keepMs: 0,
    makesInTurn: true,
    limiters: ["ranking"],
    sees: "profiles",
    summary: "List a player's NPC kills by profile",
    description:
      "Returns how many NPCs of each profile the player has killed, with the player's rank, most " +
      `kills first. 404 \`not_found\` if the player was never seen on a listed server. ${gated}`,
    params: Joi.object<{ steamId: string }, true>({ steamId: steamIdParam }),
    query: worldQuery,
    answers: { 200: "PlayerNpcKills", 403: "Error", 404: "Error" },
    find: ({ params }, context) => requirePlayer(params.steamId, context),
    handle: ({ params: { steamId }, query }, context) => readPlayerKills(steamId, query, context),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnNpcKills:
   *       type: object
   *       additionalProperties: false
   *       required: [players, profiles]
   *       properties:
   *         players:
   *           type: array
   *           description: >-
   *             The caller's linked Steam accounts, in the order in which they were linked.
   *           items: { $ref: '#/components/schemas/SurvivalPerson' }
   *         profiles:
   *           type: array
   *           description: >-
   *             Kills of all these accounts together, by NPC profile, with the best rank of the
   *             accounts.
   *           items: { $ref: '#/components/schemas/NpcKills' }
   */
  defineRoute({
    ...common,
    path: "/api/v1/player/survival/profiles",
    gate: "auth",
    summary: "List the caller's NPC kills by profile",
    description:
      "Returns how many NPCs of each profile the caller's linked Steam accounts have killed " +
      "together, with the best rank of these accounts. 404 `not_found` if the server or world is " +
      "unknown, or the server is not listed.",
    query: worldQuery,
    answers: { 200: "OwnNpcKills", 404: "Error" },
    handle: async ({ query, caller }, context) =>
      readOwnKills(caller.userId, await resolveWorldScope(query, context), context),
  }),
];
