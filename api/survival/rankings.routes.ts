import Joi from "joi";

import { limits } from "../../shared/limits.ts";
import { readOwnKills, readPlayerKills } from "../../shared/survival/npcs/player-kills.ts";
import {
  type RankingQuery,
  readProfiles,
  readRanking,
  requireProfile,
} from "../../shared/survival/npcs/rankings.ts";
import { requirePlayer } from "../../shared/survival/players/newest-name.ts";
import { findWorlds, type WorldQuery } from "../../shared/survival/worlds/world-scope.ts";
import { limitField, offsetField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { steamIdParam, worldFields } from "./fields.ts";

const common = { set: "additive", tag: "Survival", method: "get" } as const;

const gated =
  "The site may keep it for callers of a higher rung. What staff kill may count nowhere.";

const worldQuery = Joi.object<WorldQuery, true>(worldFields);

/** Who has killed how many NPCs, by their profile. */
export const rankingsRoutes = [
  route({
    ...common,
    path: "/api/v1/public/survival/profiles",
    gate: "public",
    keepMs: 0,
    limiters: ["ranking"],
    sees: "profiles",
    summary: "Profiles of NPCs that players are ranked by",
    description: `The one that was killed most first, at most a thousand. ${gated}`,
    query: worldQuery,
    answers: {
      200: { enveloped: "profiles", shape: { listOf: "NpcProfileRank" } },
      403: "Error",
      404: "Error",
    },
    handle: async ({ query }, context) => ({
      profiles: await readProfiles(query, context),
    }),
  }),
  route({
    ...common,
    path: "/api/v1/public/survival/profiles/:key/ranking",
    gate: "public",
    keepMs: 0,
    limiters: ["ranking"],
    sees: "profiles",
    summary: "Who has killed the most NPCs of a profile",
    description: gated,
    params: Joi.object<{ key: string }, true>({
      key: Joi.string().max(64).required().description("As the list names it."),
    }),
    query: Joi.object<RankingQuery, true>({
      ...worldFields,
      limit: limitField(limits.rankingPage),
      offset: offsetField,
    }),
    anyText: ["key"],
    answers: { 200: "NpcRanking", 403: "Error", 404: "Error" },
    find: ({ params }, context) => requireProfile(params.key, context),
    handle: ({ params: { key }, query }, context) => readRanking(key, query, context),
  }),
  route({
    ...common,
    path: "/api/v1/public/survival/players/:steamId/profiles",
    gate: "public",
    keepMs: 0,
    limiters: ["ranking"],
    sees: "profiles",
    summary: "What a player has killed, by profile",
    description: gated,
    params: Joi.object<{ steamId: string }, true>({ steamId: steamIdParam }),
    query: worldQuery,
    answers: { 200: "PlayerNpcKills", 403: "Error", 404: "Error" },
    find: ({ params }, context) => requirePlayer(params.steamId, context),
    handle: ({ params: { steamId }, query }, context) => readPlayerKills(steamId, query, context),
  }),
  route({
    ...common,
    path: "/api/v1/player/survival/profiles",
    gate: "auth",
    summary: "What the caller has killed, by profile",
    query: worldQuery,
    answers: { 200: "OwnNpcKills", 404: "Error" },
    handle: async ({ query, caller }, context) =>
      readOwnKills(caller.userId, await findWorlds(query, context), context),
  }),
];
