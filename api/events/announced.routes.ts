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
  slug: Joi.string().required().description("Last part of the address of its page on the site."),
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
      "Returns the events that are published, listed and not archived, as they were published. " +
      "The event that takes place next comes first, events without a known time come last. " +
      "There is no paging beyond `limit`.",
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
      "Returns the event with all runs that are scheduled or under way and the latest that have " +
      "ended, newest first. Runs under way and ended runs together are at most 20, unless more " +
      "are under way. With `run`, only that run is returned. Rehearsals never " +
      "appear, and runs that a change of the schedule cancelled appear only with `run`. An " +
      "event that is unknown or not announced, and a run that the event does not have, is 404 " +
      "`not_found`.",
    params: bySlug,
    anyText: ["slug"],
    query: Joi.object<{ run?: number }>({ run: rowId.description("Id of one of its runs.") }),
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
      "Returns the events in the order that staff gave them. A series without announced events " +
      "is 404 `not_found`, as is an unknown one.",
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
      "records them when it collects the participants on a survival server, for players whose " +
      "Steam account is linked at that moment. Only announced events appear, and no rehearsals. " +
      "A `before` that is not a positive whole number returns the first page.",
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
