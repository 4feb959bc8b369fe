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
    keepMs: 0,
    limiters: ["ranking"],
    sees: "profiles",
    summary: "One player with their figures and ranks",
    description: "The site may keep it for callers of a higher rung.",
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
    summary: "What the caller has done, by linked Steam account",
    query: worldQuery,
    answers: { 200: "OwnSurvivalStats", 404: "Error" },
    handle: async ({ query, caller }, context) =>
      readOwnStats(caller.userId, await findWorlds(query, context), context),
  }),
];
