import Joi from "joi";

import { renderCalendar } from "../../shared/content/calendar.ts";
import {
  type FeedFormat,
  feedFormats,
  feedMediaTypes,
  renderFeed,
} from "../../shared/content/posts/feed.ts";
import { announcedOccurrences } from "../../shared/events/announced/calendar-entries.ts";
import { TextAnswer } from "../cache/text-answer.ts";
import { defineRoute } from "../http/route.ts";
import { briefCachePolicy } from "./brief-cache.ts";

const read = { ...briefCachePolicy, method: "get", gate: "public", tag: "Content" } as const;

export const feedRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     JsonFeed:
   *       type: object
   *       description: A feed in the format JSON Feed 1.1 (jsonfeed.org/version/1.1).
   *       required: [version, title, home_page_url, feed_url, language, items]
   *       properties:
   *         version: { type: string, example: 'https://jsonfeed.org/version/1.1' }
   *         title: { type: string, example: Guildhall }
   *         home_page_url: { type: string, example: 'https://example.org/' }
   *         feed_url:
   *           type: string
   *           example: 'https://example.org/api/v1/public/feed?format=json'
   *         language: { type: string, example: en }
   *         items: { type: array, items: { $ref: '#/components/schemas/JsonFeedItem' } }
   *     JsonFeedItem:
   *       type: object
   *       additionalProperties: false
   *       required: [id, content_html, url, title, date_published, date_modified, tags]
   *       properties:
   *         id: { type: string, example: 'tag:example.org,2026:post/7' }
   *         url: { type: string, example: 'https://example.org/news/the-harbour' }
   *         title: { type: string, example: The harbour }
   *         content_html: { type: string, example: <p>It is open.</p> }
   *         summary: { type: string, example: It is open. }
   *         image: { type: string, example: 'https://example.org/harbour.png' }
   *         date_published: { type: string, format: date-time }
   *         date_modified: { type: string, format: date-time }
   *         authors:
   *           type: array
   *           items:
   *             type: object
   *             additionalProperties: false
   *             properties:
   *               name: { type: string, example: robin }
   *         tags: { type: array, items: { type: string, example: harbour } }
   */
  defineRoute({
    ...read,
    path: "/api/v1/public/feed",
    set: "core",
    summary: "Get the news as an RSS, Atom or JSON feed",
    description:
      "Returns the 20 newest published posts with their full texts. URLs in the feed are " +
      "absolute.",
    query: Joi.object<{ format: FeedFormat }, true>({
      format: Joi.string()
        .valid(...feedFormats)
        .empty("")
        .default("rss")
        .description("Format of the feed. Default: `rss`."),
    }),
    answers: {
      200: {
        oneOf: [
          { mediaType: feedMediaTypes.rss },
          { mediaType: feedMediaTypes.atom },
          { mediaType: feedMediaTypes.json, of: "JsonFeed" },
        ],
      },
      304: "",
    },
    handle: async ({ query: { format } }, context) =>
      new TextAnswer(feedMediaTypes[format], await renderFeed(format, context)),
  }),
  defineRoute({
    ...read,
    path: "/api/v1/public/events.ics",
    set: "additive",
    summary: "Get the announced events as a calendar",
    description:
      "Returns the occurrences of announced events from yesterday to 366 days ahead, in " +
      "iCalendar format. Times are in UTC. Each occurrence contains the URL of the event's page, " +
      "and its `UID` never changes. A canceled occurrence has `STATUS:CANCELLED`. If there are " +
      "no occurrences, the calendar is empty.",
    answers: { 200: { mediaType: "text/calendar" }, 304: "" },
    handle: async (_input, context) => {
      const occurrences = await announcedOccurrences(context);
      const text = await renderCalendar(occurrences, context.config.PUBLIC_BASE_URL);
      return new TextAnswer("text/calendar", text);
    },
  }),
];
