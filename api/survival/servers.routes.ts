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

const beforeField = idField.description("The id, as the list has it, before which to go on.");

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
  .description("Only these kinds, with commas.")
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
    summary: "The survival servers",
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
    summary: "A survival server",
    description: "`tabs` says where the caller finds something.",
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
    summary: "What happened on a survival server",
    description:
      "The newest first. What tells who is on the server is left out below the presence audience, " +
      "and where players are below staff.",
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
    summary: "Who is first on a survival server",
    limiters: ["ranking"],
    description: "Equals share a rank. `wipe` is the id of a world, `current` or `all`.",
    params: byId,
    query: Joi.object<LeaderboardQuery, true>({
      stat: Joi.string<StatName>()
        .valid(...statNames)
        .default("playersKilled")
        .description("The figure; `categories` of the answer lists all."),
      wipe: Joi.alternatives(Joi.valid("current", "all"), idField)
        .default("current")
        .description("Within this world, the one that stands, or for all time."),
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
    summary: "Who is on a survival server",
    description:
      "Below the presence audience `players` is empty and `hidden` true; the count stays.",
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
    summary: "The worlds of a survival server",
    description: "The newest first, with when the next wipe is due.",
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
