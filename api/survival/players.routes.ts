import Joi from "joi";

import { readOwnStats, readPlayer } from "../../shared/survival/players/read-player.ts";
import { requirePlayer } from "../../shared/survival/players/sightings.ts";
import { resolveWorldScope, type WorldQuery } from "../../shared/survival/rankings/scope.ts";
import { defineRoute } from "../http/route.ts";
import { steamIdParam, worldFields } from "./fields.ts";

const common = { set: "additive", tag: "Survival", method: "get" } as const;

const worldQuery = Joi.object<WorldQuery, true>(worldFields);

export const survivalPlayersRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     SurvivalPlayer:
   *       type: object
   *       additionalProperties: false
   *       required: [player, stats, titles]
   *       properties:
   *         player: { $ref: '#/components/schemas/SurvivalPerson' }
   *         stats: { $ref: '#/components/schemas/SurvivalStats' }
   *         titles:
   *           type: array
   *           description: >-
   *             Chat titles that the player holds in the current world. If the request contains
   *             `server`, this is the world of that server; otherwise the titles of the current
   *             worlds of all listed servers are returned.
   *           items:
   *             type: object
   *             additionalProperties: false
   *             required: [text, color, stat, rank]
   *             properties:
   *               text: { type: string, example: Assassin }
   *               color: { type: string, nullable: true, example: '#d08030' }
   *               stat: { $ref: '#/components/schemas/SurvivalStat' }
   *               rank: { type: integer, description: Rank of the player in the stat. }
   *         clan:
   *           type: object
   *           description: >-
   *             Clan of the player. If the request contains `server`, the player's clan on that
   *             server. Without `server`, the clan that the player joined last, of all listed
   *             servers that accept Steam links. Absent if the player has no clan, and for callers
   *             below the audience `roster`.
   *           allOf: [{ $ref: '#/components/schemas/ClanName' }]
   *     SurvivalStats:
   *       type: object
   *       description: Value and rank in each stat, by the name of the stat.
   *       additionalProperties:
   *         type: object
   *         additionalProperties: false
   *         required: [value, rank]
   *         properties:
   *           value:
   *             type: integer
   *             description: >-
   *               Value of the stat: seconds for `playtime`, meters for kill distances, a count for
   *               all other stats.
   *           rank:
   *             type: integer
   *             nullable: true
   *             description: Rank of the player among all players. Null if the player has no value.
   *       example: { playersKilled: { value: 12, rank: 3 } }
   *     ClanName:
   *       type: object
   *       additionalProperties: false
   *       required: [externalId, name]
   *       properties:
   *         externalId:
   *           type: string
   *           example: '3-17-1764542400'
   *           description: Id of the clan, to use in the paths of operations.
   *         name: { type: string, example: Night Owls }
   */
  defineRoute({
    ...common,
    path: "/api/v1/public/survival/players/:steamId",
    gate: "public",
    keepMs: 5_000,
    makesInTurn: true,
    limiters: ["ranking"],
    sees: "profiles",
    summary: "Get a player's stats and ranks",
    description:
      "Returns the player's stats with the player's rank in each stat, and the player's current " +
      "chat titles and clan. Callers below the audience `roster` do not receive the clan. 403 " +
      "`feature_locked` for callers below the audience `profiles`. 404 `not_found` if the player " +
      "was never seen on a listed server, or if the server or world is unknown. 429 " +
      "`rate_limited` after too many requests from the caller's IP address.",
    params: Joi.object<{ steamId: string }, true>({ steamId: steamIdParam }),
    query: worldQuery,
    answers: { 200: "SurvivalPlayer", 403: "Error", 404: "Error" },
    find: ({ params }, context) => requirePlayer(params.steamId, context),
    handle: async ({ params: { steamId }, query, caller }, context) =>
      readPlayer(steamId, await resolveWorldScope(query, context), caller, context),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnSurvivalStats:
   *       type: object
   *       additionalProperties: false
   *       required: [players, total]
   *       properties:
   *         players:
   *           type: array
   *           description: The linked Steam accounts, in the order in which they were linked.
   *           items:
   *             type: object
   *             additionalProperties: false
   *             required: [steamId, name, stats]
   *             properties:
   *               steamId: { $ref: '#/components/schemas/SteamId' }
   *               name: { type: string }
   *               stats: { $ref: '#/components/schemas/SurvivalStats' }
   *         total:
   *           type: object
   *           description: >-
   *             Values of all accounts together, by the name of the stat. For kill distances, the
   *             value is the maximum of the accounts; for all other stats, it is their sum.
   *           additionalProperties: { type: integer }
   *           example: { playersKilled: 12 }
   */
  defineRoute({
    ...common,
    path: "/api/v1/player/survival/stats",
    gate: "auth",
    summary: "Get the caller's stats",
    description:
      "Returns the stats and ranks of each Steam account that the caller has linked, and the " +
      "total of all these accounts. 404 `not_found` if the server or world is unknown, or the " +
      "server is not listed.",
    query: worldQuery,
    answers: { 200: "OwnSurvivalStats", 404: "Error" },
    handle: async ({ query, caller }, context) =>
      readOwnStats(caller.userId, await resolveWorldScope(query, context), context),
  }),
];
