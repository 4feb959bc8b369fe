import type { EventParticipation } from "../../models/events/event-participation.ts";
import type { EventRun } from "../../models/events/event-run.ts";
import {
  type AnnouncedEvent,
  type AnnouncedSeries,
  publicStatusOf,
} from "../../shared/events/announced/announced.ts";
import type { HistoryPage } from "../../shared/events/announced/history.ts";
import { type ImageRules, findAllowedImage } from "../../shared/platform/net/image-address.ts";

/**
 * Lists each field by name, because definitions and versions have fields that are not public.
 *
 * @openapi
 * components:
 *   schemas:
 *     AnnouncedEvent:
 *       type: object
 *       additionalProperties: false
 *       required: [slug, title, summary, body, imageUrl, series, next]
 *       properties:
 *         slug: { type: string, example: the-champion-evening }
 *         title: { type: string, example: The champion evening }
 *         summary: { type: string, example: Barracoon stirs. }
 *         body: { type: string, description: Text of the event in Markdown., example: Meet at the moongate. }
 *         imageUrl:
 *           type: string
 *           nullable: true
 *           description: >-
 *             URL of the event's image. Null if the event has no image, or if the site does not
 *             allow images from this URL now.
 *         series:
 *           type: object
 *           nullable: true
 *           additionalProperties: false
 *           required: [slug, name]
 *           properties:
 *             slug: { type: string, example: winter-season }
 *             name: { type: string, example: Winter season }
 *         next:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: >-
 *             Start of the event's next scheduled run. Runs that are under way do not count. Null
 *             if no start is known.
 */
export const viewPublicEvent = (
  { definition, version, next }: AnnouncedEvent,
  images: ImageRules,
) => ({
  slug: definition.slug,
  title: version.title,
  summary: version.summary,
  body: version.body,
  imageUrl: findAllowedImage(version.imageUrl, images),
  series: definition.series ? { slug: definition.series.slug, name: definition.series.name } : null,
  next,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     AnnouncedEventPage:
 *       type: object
 *       additionalProperties: false
 *       required: [event, runs]
 *       properties:
 *         event: { $ref: '#/components/schemas/AnnouncedEvent' }
 *         runs: { type: array, items: { $ref: '#/components/schemas/AnnouncedRun' } }
 *     AnnouncedRun:
 *       type: object
 *       additionalProperties: false
 *       required: [id, scheduledFor, startedAt, endedAt, status]
 *       properties:
 *         id: { type: integer }
 *         scheduledFor: { type: string, format: date-time, nullable: true, description: Time for which the run was scheduled. Null for a run that was started without a time. }
 *         startedAt: { type: string, format: date-time, nullable: true, description: Start of the run. Null if the run has not started. }
 *         endedAt: { type: string, format: date-time, nullable: true, description: End of the run. Null if the run has not ended. }
 *         status: { $ref: '#/components/schemas/PublicRunStatus' }
 */
export const viewPublicRun = ({ id, scheduledFor, startedAt, endedAt, status }: EventRun) => ({
  id,
  scheduledFor,
  startedAt,
  endedAt,
  status: publicStatusOf(status),
});

/**
 * @openapi
 * components:
 *   schemas:
 *     AnnouncedSeries:
 *       type: object
 *       additionalProperties: false
 *       required: [series, events]
 *       properties:
 *         series:
 *           type: object
 *           additionalProperties: false
 *           required: [slug, name, description]
 *           properties:
 *             slug: { type: string, example: winter-season }
 *             name: { type: string, example: Winter season }
 *             description: { type: string, example: Every Saturday until spring. }
 *         events: { type: array, items: { $ref: '#/components/schemas/AnnouncedEvent' } }
 */
export const viewPublicSeries = ({ series, events }: AnnouncedSeries, images: ImageRules) => ({
  series: { slug: series.slug, name: series.name, description: series.description },
  events: events.map((event) => viewPublicEvent(event, images)),
});

/**
 * @openapi
 * components:
 *   schemas:
 *     EventHistory:
 *       type: object
 *       additionalProperties: false
 *       required: [history, nextBefore]
 *       properties:
 *         history: { type: array, items: { $ref: '#/components/schemas/EventHistoryLine' } }
 *         nextBefore:
 *           type: integer
 *           nullable: true
 *           description: 'Cursor for the next page: send it as `before`. Null on the last page.'
 *     EventHistoryLine:
 *       type: object
 *       additionalProperties: false
 *       required: [runId, event, at, rewards]
 *       properties:
 *         runId: { type: integer }
 *         event:
 *           type: object
 *           additionalProperties: false
 *           required: [slug, title]
 *           properties:
 *             slug: { type: string, example: the-champion-evening }
 *             title: { type: string, example: The champion evening }
 *         at: { type: string, format: date-time, description: When the service recorded the participation. }
 *         rewards:
 *           type: array
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [kit, count]
 *             properties:
 *               kit: { type: string, description: Name of the kit on the survival server., example: starter }
 *               count:
 *                 type: integer
 *                 description: How many times in total the caller may take the kit.
 */
export const viewHistory = ({ lines, nextBefore }: HistoryPage) => ({
  history: lines.map(viewHistoryLine),
  nextBefore,
});

const viewHistoryLine = ({ runId, run, at, rewards }: EventParticipation) => ({
  runId,
  event: { slug: run?.definition?.slug, title: run?.version?.title },
  at,
  rewards: rewards.map(({ kit, count }) => ({ kit, count })),
});
