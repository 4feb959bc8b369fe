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
  "Kills by staff players do not count on servers that exclude staff from rankings. 403 " +
  "`feature_locked` for callers below the audience `profiles`. 404 for an unknown or unlisted " +
  "server or world. 429 `rate_limited` after too many reads from one address.";

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
    summary: "List the ranked NPC profiles",
    description: `Returns at most 1,000 NPC profiles, most kills first. ${gated}`,
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
    summary: "Get the ranking of an NPC profile",
    description: `Returns players with their kills of a profile, most kills first. ${gated}`,
    params: Joi.object<{ key: string }, true>({
      key: Joi.string().max(64).required().description("Key of the profile, from the list."),
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
    summary: "List a player's NPC kills by profile",
    description:
      "Returns a player's kills of each profile with the player's rank, most kills first. 404 " +
      `for a player who was never seen on a listed server. ${gated}`,
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
    summary: "List the caller's NPC kills by profile",
    description:
      "Returns the kills of all Steam accounts that the caller has linked, added up by profile, " +
      "with the best rank of these accounts. 404 for an unknown or unlisted server or world.",
    query: worldQuery,
    answers: { 200: "OwnNpcKills", 404: "Error" },
    handle: async ({ query, caller }, context) =>
      readOwnKills(caller.userId, await findWorlds(query, context), context),
  }),
];
