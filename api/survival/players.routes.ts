import Joi from "joi";

import { readOwnStats, readPlayer } from "../../shared/survival/player-pages/read-player.ts";
import { requirePlayer } from "../../shared/survival/players/newest-name.ts";
import { findWorlds, type WorldQuery } from "../../shared/survival/worlds/world-scope.ts";
import { route } from "../http/route.ts";
import { steamIdParam, worldFields } from "./fields.ts";

const common = { set: "additive", tag: "Survival", method: "get" } as const;

const worldQuery = Joi.object<WorldQuery, true>(worldFields);

/** What players have done on the survival servers. */
export const survivalPlayersRoutes = [
  route({
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
      readPlayer(steamId, await findWorlds(query, context), caller, context),
  }),
  route({
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
      readOwnStats(caller.userId, await findWorlds(query, context), context),
  }),
];
