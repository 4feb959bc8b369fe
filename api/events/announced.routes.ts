import Joi from "joi";

import {
  findAnnouncedEvent,
  findAnnouncedRun,
  findAnnouncedSeries,
  listAnnouncedEvents,
  readAnnouncedRuns,
} from "../../shared/events/announced/announced.ts";
import { readHistory } from "../../shared/events/announced/history.ts";
import { limits } from "../../shared/platform/limits.ts";
import { limitField } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { rowIdField } from "./fields.ts";
import { viewHistory, viewPublicEvent, viewPublicRun, viewPublicSeries } from "./public-views.ts";

const forEveryone = { method: "get", gate: "public", set: "core", tag: "Events" } as const;

const bySlug = Joi.object<{ slug: string }, true>({
  slug: Joi.string()
    .required()
    .description("Slug of the event or series, as in the URL of its page."),
});

/** Parses a history cursor; an invalid one is undefined, which returns the first page. */
const parseCursor = (before: string | undefined): number | undefined =>
  before !== undefined && /^[1-9]\d{0,14}$/.test(before) ? Number(before) : undefined;

export const announcedRoutes = [
  defineRoute({
    ...forEveryone,
    path: "/api/v1/public/events",
    summary: "List the announced events",
    description:
      "Returns the published version of each event that is listed and not archived. Events are " +
      "sorted by the start of their next run, earliest first; events without a known start come " +
      "last. The list has no further pages.",
    query: Joi.object<{ limit: number }>({ limit: limitField(limits.announcedPage) }),
    answers: { 200: { enveloped: "events", shape: { listOf: "AnnouncedEvent" } } },
    keepMs: 500,
    handle: async ({ query: { limit } }, context) => ({
      events: (await listAnnouncedEvents(limit, context)).map((event) =>
        viewPublicEvent(event, context.config),
      ),
    }),
  }),
  defineRoute({
    ...forEveryone,
    path: "/api/v1/public/events/:slug",
    summary: "Get an announced event and its runs",
    keepMs: 0,
    description:
      "Returns the event and its runs, newest first. The list contains all runs that are " +
      "scheduled or under way. The list is then filled up with the latest ended runs, until it " +
      "contains 20 runs that are under way or have ended. Rehearsals are never returned. A run " +
      "that was canceled because the schedule changed is returned only if `run` requests it. 404 " +
      "`not_found` if the event is unknown or not announced, or if `run` is a run of another " +
      "event.",
    params: bySlug,
    anyText: ["slug"],
    query: Joi.object<{ run?: number }>({
      run: rowIdField.description(
        "Id of a run of the event. If present, the response contains only this run.",
      ),
    }),
    answers: { 200: "AnnouncedEventPage", 404: "Error" },
    find: ({ params: { slug } }, context) => findAnnouncedEvent(slug, context),
    handle: async ({ found, query: { run } }, context) => {
      const runs =
        run === undefined
          ? await readAnnouncedRuns(found, context)
          : [await findAnnouncedRun(found, run, context)];
      return { event: viewPublicEvent(found, context.config), runs: runs.map(viewPublicRun) };
    },
  }),
  defineRoute({
    ...forEveryone,
    path: "/api/v1/public/events/series/:slug",
    summary: "Get a series and its announced events",
    keepMs: 0,
    description:
      "Returns the series and its announced events, in the order that staff have set. 404 " +
      "`not_found` if the series is unknown or has no announced events.",
    params: bySlug,
    anyText: ["slug"],
    answers: { 200: "AnnouncedSeries", 404: "Error" },
    handle: async ({ params: { slug } }, context) =>
      viewPublicSeries(await findAnnouncedSeries(slug, context), context.config),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/player/events/history",
    gate: "auth",
    set: "core",
    tag: "Events",
    summary: "List the events that the caller took part in",
    description:
      "Returns the caller's participations in events, with the kits that were awarded for them, " +
      "newest first. The service records participations when a run collects its participants on " +
      "a survival server. The service does not record players who have no linked Steam account " +
      "at that time. Participations in rehearsals, and in events that are not announced, are not " +
      "returned. If `before` is not a positive integer, the first page is returned.",
    query: Joi.object<{ limit: number; before?: string }>({
      limit: limitField(limits.historyPage),
      before: Joi.string()
        .allow("")
        .description("Cursor for paging: the `nextBefore` of the previous page.")
        .example("81"),
    }),
    answers: { 200: "EventHistory" },
    handle: async ({ query: { limit, before }, caller }, context) =>
      viewHistory(
        await readHistory(caller.userId, { limit, before: parseCursor(before) }, context),
      ),
  }),
];
