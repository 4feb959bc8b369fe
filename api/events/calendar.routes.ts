import Joi from "joi";

import {
  type CalendarEntry,
  entryStatuses,
  type EntryStatus,
  readCalendar,
} from "../../shared/events/occurrences/calendar.ts";
import { horizonDays } from "../../shared/events/occurrences/create-scheduled-runs.ts";
import { scopeField } from "../../shared/events/spec/fields.ts";
import type { RunScope } from "../../shared/events/vocabulary.ts";
import { defineRoute } from "../http/route.ts";
import { instantField, rowIdField, staffEventRouteOptions } from "./fields.ts";

interface CalendarQuery {
  readonly from: string;
  readonly to: string;
  readonly status?: EntryStatus;
  readonly scope?: RunScope;
  readonly seriesId?: number;
}

/**
 * @openapi
 * components:
 *   schemas:
 *     EventCalendar:
 *       type: object
 *       additionalProperties: false
 *       required: [window, horizon, horizonDays, entries, truncated]
 *       properties:
 *         window:
 *           type: object
 *           additionalProperties: false
 *           required: [from, to]
 *           properties:
 *             from: { type: string, format: date-time }
 *             to: { type: string, format: date-time, description: End of the window (exclusive). }
 *         horizon:
 *           type: string
 *           format: date-time
 *           description: >-
 *             Time up to which the service has created runs for the occurrences of schedules, at
 *             most 1,000 for an event at a time. Occurrences without a run have the status
 *             `projected`.
 *         horizonDays: { type: integer, description: Number of days from now to `horizon`. }
 *         entries: { type: array, items: { $ref: '#/components/schemas/EventCalendarEntry' } }
 *         truncated:
 *           type: boolean
 *           description: Whether the window contains more entries than the response.
 *     EventCalendarEntry:
 *       type: object
 *       additionalProperties: false
 *       required: [runId, definitionId, title, slug, seriesId, scope, scheduledFor, status, versionId]
 *       properties:
 *         runId: { type: integer, nullable: true, description: Id of the run. Null for an occurrence that has no run yet. }
 *         definitionId: { type: integer }
 *         title: { type: string, example: The champion evening }
 *         slug: { type: string, example: the-champion-evening }
 *         seriesId: { type: integer, nullable: true }
 *         scope: { $ref: '#/components/schemas/EventScope' }
 *         scheduledFor: { type: string, format: date-time }
 *         status: { $ref: '#/components/schemas/EventEntryStatus' }
 *         versionId:
 *           type: integer
 *           description: >-
 *             Id of the version of the run. For an occurrence that has no run, id of the published
 *             version.
 */
const viewEntry = ({ definition, version, ...entry }: CalendarEntry) => ({
  runId: entry.runId,
  definitionId: definition.id,
  title: version.title,
  slug: definition.slug,
  seriesId: definition.seriesId,
  scope: entry.scope,
  scheduledFor: entry.scheduledFor,
  status: entry.status,
  versionId: version.id,
});

export const calendarRoutes = [
  defineRoute({
    ...staffEventRouteOptions,
    method: "get",
    path: "/api/v1/admin/events/calendar",
    summary: "List runs and coming occurrences in a time window",
    description:
      "Returns the runs whose scheduled time is in the window, with any status and including " +
      "rehearsals. Also returns the occurrences of published schedules for which no run exists " +
      "yet. Entries are sorted by time, earliest first. Runs without a scheduled time are not " +
      "returned. If there are more than 1,000 entries, the first 1,000 are returned and " +
      "`truncated` is true. 400 if the window is longer than 366 days, or if `to` is not later " +
      "than `from`.",
    query: Joi.object<CalendarQuery>({
      from: instantField
        .required()
        .description("Start of the window (inclusive): a time with `Z` or an offset."),
      to: instantField
        .required()
        .description("End of the window (exclusive): a time with `Z` or an offset."),
      status: Joi.string()
        .valid(...entryStatuses)
        .description("Returns only entries with this status."),
      scope: scopeField().description("Returns only entries whose scope is exactly this value."),
      seriesId: rowIdField.description(
        "Id of a series. Returns only entries of events in this series.",
      ),
    }),
    answers: { 200: "EventCalendar", 400: "EventFaults" },
    handle: async ({ query }, context) => {
      const window = { from: new Date(query.from), to: new Date(query.to) };
      const { entries, ...calendar } = await readCalendar({ ...query, ...window }, context);
      return { window, horizonDays, ...calendar, entries: entries.map(viewEntry) };
    },
  }),
];
