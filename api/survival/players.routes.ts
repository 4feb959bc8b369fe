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
    keepMs: 1_000,
    limiters: ["ranking"],
    sees: "profiles",
    summary: "Get a player's stats and ranks",
    description:
      "Returns a player's stats with the player's rank in each, and the player's current chat " +
      "titles and clan. Callers below the audience `roster` do not get the clan. 403 " +
      "`feature_locked` for callers below the audience `profiles`. 404 for a player who was " +
      "never seen on a listed server, or an unknown server or world. 429 `rate_limited` after " +
      "too many reads from one address.",
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
      "Returns the stats of each Steam account that the caller has linked, with ranks, and their " +
      "total. 404 for an unknown or unlisted server or world.",
    query: worldQuery,
    answers: { 200: "OwnSurvivalStats", 404: "Error" },
    handle: async ({ query, caller }, context) =>
      readOwnStats(caller.userId, await findWorlds(query, context), context),
  }),
];
