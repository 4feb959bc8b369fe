import Joi from "joi";

import {
  findAnnounced,
  findAnnouncedRun,
  findAnnouncedSeries,
  listAnnounced,
  readAnnouncedRuns,
} from "../../shared/events/announced/announced.ts";
import { readHistory } from "../../shared/events/announced/history.ts";
import { limits } from "../../shared/limits.ts";
import { limitField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { rowId } from "./fields.ts";
import { viewHistory, viewPublicEvent, viewPublicRun, viewPublicSeries } from "./public-views.ts";

const forEveryone = { method: "get", gate: "public", set: "core", tag: "Events" } as const;

const bySlug = Joi.object<{ slug: string }, true>({
  slug: Joi.string().required().description("The last part of its address on the site."),
});

/** A place in the history; what is none asks for the first page. */
const placeOf = (before: string | undefined): number | undefined =>
  before !== undefined && /^[1-9]\d{0,14}$/.test(before) ? Number(before) : undefined;

export const announcedRoutes = [
  route({
    ...forEveryone,
    path: "/api/v1/public/events",
    summary: "Announced events",
    description: "The one that takes place next first; those without a time come last.",
    query: Joi.object<{ limit: number }>({ limit: limitField(limits.announcedPage) }),
    answers: { 200: { enveloped: "events", shape: { listOf: "AnnouncedEvent" } } },
    keepMs: 500,
    handle: async ({ query: { limit } }, context) => ({
      events: (await listAnnounced(limit, context)).map((event) =>
        viewPublicEvent(event, context.config),
      ),
    }),
  }),
  route({
    ...forEveryone,
    path: "/api/v1/public/events/:slug",
    summary: "An announced event, and when it takes place",
    keepMs: 0,
    description:
      "All that is to come, and the newest twenty of the rest. With `run` that one alone.",
    params: bySlug,
    anyText: ["slug"],
    query: Joi.object<{ run?: number }>({ run: rowId.description("The id of one of its runs.") }),
    answers: { 200: "AnnouncedEventPage", 404: "Error" },
    find: ({ params: { slug } }, context) => findAnnounced(slug, context),
    handle: async ({ found, query: { run } }, context) => {
      const runs =
        run === undefined
          ? await readAnnouncedRuns(found, context)
          : [await findAnnouncedRun(found, run, context)];
      return { event: viewPublicEvent(found, context.config), runs: runs.map(viewPublicRun) };
    },
  }),
  route({
    ...forEveryone,
    path: "/api/v1/public/events/series/:slug",
    summary: "A series and its announced events",
    keepMs: 0,
    params: bySlug,
    anyText: ["slug"],
    answers: { 200: "AnnouncedSeries", 404: "Error" },
    handle: async ({ params: { slug } }, context) =>
      viewPublicSeries(await findAnnouncedSeries(slug, context), context.config),
  }),
  route({
    method: "get",
    path: "/api/v1/player/events/history",
    gate: "auth",
    set: "core",
    tag: "Events",
    summary: "In what the caller took part",
    description: "The newest first. A `before` that is no place asks for the first page.",
    query: Joi.object<{ limit: number; before?: string }>({
      limit: limitField(limits.historyPage),
      before: Joi.string()
        .allow("")
        .description("The `nextBefore` of the page before.")
        .example("81"),
    }),
    answers: { 200: "EventHistory" },
    handle: async ({ query: { limit, before }, caller }, context) =>
      viewHistory(await readHistory(caller.userId, { limit, before: placeOf(before) }, context)),
  }),
];
