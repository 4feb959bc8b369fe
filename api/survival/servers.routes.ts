import Joi from "joi";

import { limits } from "../../shared/platform/limits.ts";
import { type FeedKind, feedKinds } from "../../shared/survival/feed/feed-text.ts";
import { readFeed } from "../../shared/survival/feed/feed.ts";
import { statNames, type StatName } from "../../shared/survival/kinds/stat-names.ts";
import { readPresence } from "../../shared/survival/players/presence.ts";
import {
  type LeaderboardQuery,
  readLeaderboard,
} from "../../shared/survival/rankings/leaderboard.ts";
import { findServer, readServers } from "../../shared/survival/servers/read-servers.ts";
import { readCallerAccess } from "../../shared/survival/visibility/visibility.ts";
import { type WipePageQuery, readWipes } from "../../shared/survival/wipes/read-wipes.ts";
import { rowIdParams, idField, limitField, offsetField } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { viewEventFeed, viewLeaderboard, viewPresence, viewWipes } from "./tab-views.ts";
import { viewServer } from "./views.ts";

const common = { gate: "public", tag: "Survival", keepMs: 0 } as const;

const beforeField = idField.description(
  "Cursor for paging: returns only entries that are older than the entry with this id.",
);

const kindsField = Joi.string()
  .max(512)
  .custom((text: string, helpers) => {
    const kinds = text.split(",");
    return kinds.every((kind) => feedKinds.some((known) => known === kind))
      ? kinds
      : helpers.error("feed.kinds");
  }, "kinds of the feed")
  .messages({
    "feed.kinds": `{{#label}} must be kinds of the feed, separated by commas: ${feedKinds.join(", ")}`,
  })
  .description("Kinds of events, separated by commas. Returns only events of these kinds.")
  .example("player.died,survival.npc.died");

interface GivenFeedQuery {
  readonly limit: number;
  readonly before?: number;
  readonly kinds?: readonly FeedKind[];
}

/** The public routes of survival servers. They read only the database. */
export const survivalServersRoutes = [
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/public/survival/servers",
    set: "additive",
    summary: "List the survival servers",
    description:
      "Returns all listed servers, including servers that are offline or disabled, sorted by " +
      "`sort` and then by name.",
    answers: { 200: { enveloped: "servers", shape: { listOf: "SurvivalServer" } } },
    handle: async ({ caller }, context) => {
      const view = await readCallerAccess(caller, context);
      const servers = await readServers(context, { listed: true });
      return { servers: servers.map((record) => viewServer(record, view)) };
    },
  }),
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/public/survival/servers/:id",
    set: "core",
    summary: "Get a survival server",
    description:
      "Returns a listed server. `tabs` says which parts of the server the caller may read. 404 " +
      "`not_found` if the server is unknown or not listed.",
    params: rowIdParams,
    answers: { 200: { enveloped: "server", shape: "SurvivalServer" }, 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context, { listed: true }),
    handle: async ({ found, caller }, context) => ({
      server: viewServer(found, await readCallerAccess(caller, context)),
    }),
  }),
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/public/survival/servers/:id/feed",
    set: "additive",
    summary: "List the feed of a survival server",
    description:
      "Returns events of the server, such as joins, deaths, chat and wipes, newest first. " +
      "Callers below the audience `presence` receive `hidden: true` and only events that do not " +
      "reveal who is on the server. Only staff receive positions. Chat messages that staff have " +
      "hidden are left out. 400 if a kind in `kinds` is unknown. 404 `not_found` if the server " +
      "is unknown or not listed.",
    params: rowIdParams,
    query: Joi.object<GivenFeedQuery, true>({
      limit: limitField(limits.feedPage),
      before: beforeField,
      kinds: kindsField,
    }),
    answers: { 200: "SurvivalFeed", 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context, { listed: true }),
    handle: async ({ found, query, caller }, context) =>
      viewEventFeed(
        await readFeed(found.server.id, query, await readCallerAccess(caller, context), context),
      ),
  }),
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/public/survival/servers/:id/leaderboard",
    set: "additive",
    summary: "Get a leaderboard of a survival server",
    limiters: ["ranking"],
    description:
      "Returns the players ranked by a stat, best player first. Players with equal values share " +
      "a rank, as in 1, 2, 2, 4. If the server excludes staff from rankings, players whom the " +
      "game reports as staff are left out. The list is empty before the server's first world. " +
      "404 `not_found` if the server is unknown or not listed, or if `wipe` is a world of " +
      "another server. 429 `rate_limited` after too many requests from the caller's IP address.",
    params: rowIdParams,
    query: Joi.object<LeaderboardQuery, true>({
      stat: Joi.string<StatName>()
        .valid(...statNames)
        .default("playersKilled")
        .description(
          "Stat by which players are ranked. `categories` in the response lists all stats. " +
            "Default: `playersKilled`.",
        ),
      wipe: Joi.alternatives(Joi.valid("current", "all"), idField)
        .default("current")
        .description(
          "World (wipe) to rank: its id, `current` for the current world, or `all` for all " +
            "worlds together. Default: `current`.",
        ),
      limit: limitField(limits.leaderboardPage),
      offset: offsetField,
    }),
    answers: { 200: "SurvivalLeaderboard", 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context, { listed: true }),
    handle: async ({ found, query }, context) =>
      viewLeaderboard(query.stat, await readLeaderboard(found, query, context)),
  }),
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/public/survival/servers/:id/online",
    set: "additive",
    summary: "List the players on a survival server",
    description:
      "Returns the players who are on the server now. Callers below the audience `presence` " +
      "receive `hidden: true` and the number of players, but no list of them. The list is empty " +
      "while the server is offline. 404 `not_found` if the server is unknown or not listed.",
    params: rowIdParams,
    answers: { 200: "SurvivalPresence", 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context, { listed: true }),
    handle: async ({ found, caller }, context) =>
      viewPresence(await readPresence(found, await readCallerAccess(caller, context), context)),
  }),
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/public/survival/servers/:id/wipes",
    set: "additive",
    summary: "List the wipes of a survival server",
    description:
      "Returns the worlds of the server, newest first, the wipe schedule, and the time of the " +
      "next wipe. For the next page, send the id of the last returned world as `before`. 404 " +
      "`not_found` if the server is unknown or not listed.",
    params: rowIdParams,
    query: Joi.object<WipePageQuery, true>({
      limit: limitField(limits.wipePage),
      before: beforeField,
    }),
    answers: { 200: "SurvivalWipes", 404: "Error" },
    find: ({ params }, context) => findServer(params.id, context, { listed: true }),
    handle: async ({ found, query }, context) =>
      viewWipes(found, await readWipes(found.server.id, query, context)),
  }),
];
