import Joi from "joi";

import {
  type CalendarEntry,
  entryStatuses,
  type EntryStatus,
  readCalendar,
} from "../../shared/events/calendar/calendar.ts";
import { horizonDays } from "../../shared/events/occurrences/materialise.ts";
import { scopeField } from "../../shared/events/spec/fields.ts";
import type { Scope } from "../../shared/events/vocabulary.ts";
import { route } from "../http/route.ts";
import { instantField, rowId, staffEvents } from "./fields.ts";

interface CalendarQuery {
  readonly from: string;
  readonly to: string;
  readonly status?: EntryStatus;
  readonly scope?: Scope;
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
 *             to: { type: string, format: date-time, description: Not part of it. }
 *         horizon: { type: string, format: date-time, description: Until then runs are made ahead. }
 *         horizonDays: { type: integer }
 *         entries: { type: array, items: { $ref: '#/components/schemas/EventCalendarEntry' } }
 *         truncated: { type: boolean, description: There are more than are listed. }
 *     EventCalendarEntry:
 *       type: object
 *       additionalProperties: false
 *       required: [runId, definitionId, title, slug, seriesId, scope, scheduledFor, status, versionId]
 *       properties:
 *         runId: { type: integer, nullable: true, description: Null for what has no run yet. }
 *         definitionId: { type: integer }
 *         title: { type: string, example: The champion evening }
 *         slug: { type: string, example: the-champion-evening }
 *         seriesId: { type: integer, nullable: true }
 *         scope: { $ref: '#/components/schemas/EventScope' }
 *         scheduledFor: { type: string, format: date-time }
 *         status: { $ref: '#/components/schemas/EventEntryStatus' }
 *         versionId: { type: integer }
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
  route({
    ...staffEvents,
    method: "get",
    path: "/api/v1/admin/events/calendar",
    summary: "What takes place in a window of time",
    description:
      "Runs, and beyond the horizon the occurrences that will have one. At most 366 days and " +
      "1,000 entries at once.",
    query: Joi.object<CalendarQuery>({
      from: instantField.required(),
      to: instantField.required(),
      status: Joi.string()
        .valid(...entryStatuses)
        .description("Entries of this status alone."),
      scope: scopeField().description("Entries of this place alone."),
      seriesId: rowId.description("Entries of this series alone."),
    }),
    answers: { 200: "EventCalendar", 400: "EventFaults" },
    handle: async ({ query }, context) => {
      const window = { from: new Date(query.from), to: new Date(query.to) };
      const { entries, ...calendar } = await readCalendar({ ...query, ...window }, context);
      return { window, horizonDays, ...calendar, entries: entries.map(viewEntry) };
    },
  }),
];
