import Joi from "joi";

import { limits } from "../../shared/limits.ts";
import { readFeed } from "../../shared/survival/feed/feed.ts";
import {
  type LeaderboardQuery,
  readLeaderboard,
} from "../../shared/survival/leaderboard/leaderboard.ts";
import { type FeedKind, feedKinds } from "../../shared/survival/players/feed-text.ts";
import { readPresence } from "../../shared/survival/presence/read-presence.ts";
import { findServer, readServers } from "../../shared/survival/servers/read-servers.ts";
import { statNames, type StatName } from "../../shared/survival/tallies/stat-names.ts";
import { viewOf } from "../../shared/survival/visibility/read-visibility.ts";
import { type Page, readWipes } from "../../shared/survival/wipes/read-wipes.ts";
import { byId, idField, limitField, offsetField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { viewFeed, viewLeaderboard, viewPresence, viewWipes } from "./tab-views.ts";
import { viewServer } from "./views.ts";

const common = { gate: "public", tag: "Survival", keepMs: 0 } as const;

const beforeField = idField.description("Return only entries before the one with this id.");

const kindsField = Joi.string()
  .max(512)
  .custom((text: string, helpers) => {
    const kinds = text.split(",");
    return kinds.every((kind) => feedKinds.some((known) => known === kind))
      ? kinds
      : helpers.error("feed.kinds");
  }, "kinds of the feed")
  .messages({
    "feed.kinds": `{{#label}} must be kinds of the feed with commas: ${feedKinds.join(", ")}`,
  })
  .description("Return only these kinds, separated by commas.")
  .example("player.died,survival.npc.died");

interface GivenFeedQuery {
  readonly limit: number;
  readonly before?: number;
  readonly kinds?: readonly FeedKind[];
}

/** The survival servers as the public sees them, from our own tables alone. */
export const survivalServersRoutes = [
  route({
    ...common,
    method: "get",
    path: "/api/v1/public/survival/servers",
    set: "additive",
    summary: "List the survival servers",
    description:
      "Returns all listed servers, including offline and disabled servers, sorted by `sort` and " +
      "name.",
    answers: { 200: { enveloped: "servers", shape: { listOf: "SurvivalServer" } } },
    handle: async ({ caller }, context) => {
      const view = await viewOf(caller, context);
      const servers = await readServers(context, { listed: true });
      return { servers: servers.map((record) => viewServer(record, view)) };
    },
  }),
  route({
    ...common,
    method: "get",
    path: "/api/v1/public/survival/servers/:id",
    set: "core",
    summary: "Get a survival server",
    description:
      "Returns a listed server. `tabs` tells which parts of the server the caller may read. 404 " +
      "for a server that is not listed.",
    params: byId,
    answers: { 200: { enveloped: "server", shape: "SurvivalServer" }, 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context, { listed: true }),
    handle: async ({ found, caller }, context) => ({
      server: viewServer(found, await viewOf(caller, context)),
    }),
  }),
  route({
    ...common,
    method: "get",
    path: "/api/v1/public/survival/servers/:id/feed",
    set: "additive",
    summary: "List the feed of a survival server",
    description:
      "Returns events such as joins, deaths, chat and wipes, newest first. Callers below the " +
      "audience `presence` get `hidden: true` and only events that do not reveal who is on the " +
      "server. Positions are only returned to staff. Hidden chat messages are left out. 400 for " +
      "an unknown kind. 404 for a server that is not listed.",
    params: byId,
    query: Joi.object<GivenFeedQuery, true>({
      limit: limitField(limits.feedPage),
      before: beforeField,
      kinds: kindsField,
    }),
    answers: { 200: "SurvivalFeed", 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context, { listed: true }),
    handle: async ({ found, query, caller }, context) =>
      viewFeed(await readFeed(found.server.id, query, await viewOf(caller, context), context)),
  }),
  route({
    ...common,
    method: "get",
    path: "/api/v1/public/survival/servers/:id/leaderboard",
    set: "additive",
    summary: "Get a leaderboard of a survival server",
    limiters: ["ranking"],
    description:
      "Returns players ranked by a stat, the best first. Players with equal values share a rank: " +
      "1, 2, 2, 4. Staff players are left out if the server excludes staff from rankings. The " +
      "list is empty before the server's first world. 404 for a server that is not listed or a " +
      "world of another server. 429 `rate_limited` after too many reads from one address.",
    params: byId,
    query: Joi.object<LeaderboardQuery, true>({
      stat: Joi.string<StatName>()
        .valid(...statNames)
        .default("playersKilled")
        .description(
          "Stat by which players are ranked. `categories` in the response lists all stats.",
        ),
      wipe: Joi.alternatives(Joi.valid("current", "all"), idField)
        .default("current")
        .description("The id of a world (a wipe), `current`, or `all` for all worlds together."),
      limit: limitField(limits.leaderboardPage),
      offset: offsetField,
    }),
    answers: { 200: "SurvivalLeaderboard", 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context, { listed: true }),
    handle: async ({ found, query }, context) =>
      viewLeaderboard(query.stat, await readLeaderboard(found, query, context)),
  }),
  route({
    ...common,
    method: "get",
    path: "/api/v1/public/survival/servers/:id/online",
    set: "additive",
    summary: "List the players on a survival server",
    description:
      "Returns the players who are on the server now. Callers below the audience `presence` get " +
      "`hidden: true` and the count, but no players. The list is empty while the server is " +
      "offline. 404 for a server that is not listed.",
    params: byId,
    answers: { 200: "SurvivalPresence", 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context, { listed: true }),
    handle: async ({ found, caller }, context) =>
      viewPresence(await readPresence(found, await viewOf(caller, context), context)),
  }),
  route({
    ...common,
    method: "get",
    path: "/api/v1/public/survival/servers/:id/wipes",
    set: "additive",
    summary: "List the wipes of a survival server",
    description:
      "Returns the worlds of a server, newest first, with the wipe schedule and the time of the " +
      "next wipe. For the next page, send the id of the last entry as `before`. 404 for a server " +
      "that is not listed.",
    params: byId,
    query: Joi.object<Page, true>({
      limit: limitField(limits.wipePage),
      before: beforeField,
    }),
    answers: { 200: "SurvivalWipes", 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context, { listed: true }),
    handle: async ({ found, query }, context) =>
      viewWipes(found, await readWipes(found.server.id, query, context)),
  }),
];
