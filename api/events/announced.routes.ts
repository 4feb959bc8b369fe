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
  slug: Joi.string().required().description("Slug of the event or series, as in its page's URL."),
});

/** A place in the history; what is none asks for the first page. */
const placeOf = (before: string | undefined): number | undefined =>
  before !== undefined && /^[1-9]\d{0,14}$/.test(before) ? Number(before) : undefined;

export const announcedRoutes = [
  route({
    ...forEveryone,
    path: "/api/v1/public/events",
    summary: "List the announced events",
    description:
      "Returns the published version of each event that is listed and not archived. The event " +
      "with the earliest next run comes first; events without a known time come last. There is " +
      "no paging beyond `limit`.",
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
    summary: "Get an announced event and its runs",
    keepMs: 0,
    description:
      "Returns the event with its runs, newest first: all runs that are scheduled or under way, " +
      "and the latest runs that have ended. Ended runs are included only until the list contains " +
      "20 runs that are under way or have ended. Rehearsals are never returned. Runs that a " +
      "schedule change canceled are returned only when requested with the `run` parameter. 404 " +
      "`not_found` for an event that is unknown or not announced, and for a run of another event.",
    params: bySlug,
    anyText: ["slug"],
    query: Joi.object<{ run?: number }>({ run: rowId.description("Return only this run.") }),
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
    summary: "Get a series and its announced events",
    keepMs: 0,
    description:
      "Returns the series with its announced events, in the order that staff have set. 404 " +
      "`not_found` for an unknown series and for a series without announced events.",
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
    summary: "List the events that the caller took part in",
    description:
      "Returns the caller's participations with the kits awarded for them, newest first. A run " +
      "records participations when it collects its participants on a survival server; players " +
      "without a linked Steam account at that time are not recorded. Only participations in " +
      "announced events are returned, and none in rehearsals. If `before` is not a positive " +
      "integer, the first page is returned.",
    query: Joi.object<{ limit: number; before?: string }>({
      limit: limitField(limits.historyPage),
      before: Joi.string()
        .allow("")
        .description("`nextBefore` of the previous page.")
        .example("81"),
    }),
    answers: { 200: "EventHistory" },
    handle: async ({ query: { limit, before }, caller }, context) =>
      viewHistory(await readHistory(caller.userId, { limit, before: placeOf(before) }, context)),
  }),
];
