import type { EventDefinition } from "../../models/events/event-definition.ts";
import type { EventVersion } from "../../models/events/event-version.ts";
import type { Published } from "../../shared/events/definitions/publish.ts";
import type { Verified } from "../../shared/events/definitions/verify.ts";
import { type ImageRules, shownImage } from "../../shared/net/image-address.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     EventDefinition:
 *       type: object
 *       additionalProperties: false
 *       required: [id, title, slug, summary, body, imageUrl, ownerModule, state, currentVersionId, currentVersion, currentVersionVerifiedAt, currentVersionRevision, revision, seriesId, seriesName, seriesOrder, concurrencyKey, graceSeconds, timezone, spec, createdAt, updatedAt]
 *       properties:
 *         id: { type: integer }
 *         title: { type: string, example: The champion evening }
 *         slug: { type: string, example: the-champion-evening }
 *         summary: { type: string, example: Barracoon stirs. }
 *         body: { type: string, description: Markdown., example: Meet at the moongate. }
 *         imageUrl:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Null if there is no image, or if the site does not allow images from that address
 *             now.
 *         ownerModule:
 *           type: string
 *           description: '`core` for events that staff create.'
 *           example: core
 *         state: { $ref: '#/components/schemas/EventState' }
 *         currentVersionId: { type: integer, nullable: true, description: Id of the published version; null before the first publication. }
 *         currentVersion: { type: integer, nullable: true, description: Number of the published version; null before the first publication. }
 *         currentVersionVerifiedAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: >-
 *             Time of the last dry run of the published version that found no errors. Null before
 *             that; runs with a scheduled time do not start until then. Publishing a new version
 *             sets it to null.
 *         currentVersionRevision:
 *           type: integer
 *           nullable: true
 *           description: >-
 *             `revision` of the event from which the published version was created. 0 for a version
 *             that is older than the counting of revisions; null before the first publication.
 *         revision:
 *           type: integer
 *           description: >-
 *             Raised by each `PUT` of the event. Send it as `basedOn` so that the operation is
 *             refused if the event has changed since it was read.
 *         seriesId: { type: integer, nullable: true }
 *         seriesName: { type: string, nullable: true }
 *         seriesOrder: { type: integer, description: 'Position in the series, lowest first.' }
 *         concurrencyKey:
 *           type: string
 *           nullable: true
 *           description: >-
 *             At most one run with the same key is under way at a time, also of different events.
 *             Null sets no limit.
 *         graceSeconds:
 *           type: integer
 *           description: >-
 *             How many seconds late a run may start before it is `missed`; at least 5, even if less
 *             is set.
 *         timezone: { type: string, description: IANA time zone of the schedule., example: Europe/Berlin }
 *         spec: { $ref: '#/components/schemas/EventSpec' }
 *         createdAt: { type: string, format: date-time }
 *         updatedAt:
 *           type: string
 *           format: date-time
 *           description: Time of the last change, publication or archiving.
 */
export const viewDefinition = (definition: EventDefinition, images: ImageRules) => ({
  id: definition.id,
  title: definition.title,
  slug: definition.slug,
  summary: definition.summary,
  body: definition.body,
  imageUrl: shownImage(definition.imageUrl, images),
  ownerModule: definition.ownerModule,
  state: definition.state,
  currentVersionId: definition.currentVersionId,
  currentVersion: definition.currentVersion?.number ?? null,
  currentVersionVerifiedAt: definition.currentVersion?.verifiedAt ?? null,
  currentVersionRevision: definition.currentVersion?.revision ?? null,
  revision: definition.revision,
  seriesId: definition.seriesId,
  seriesName: definition.series?.name ?? null,
  seriesOrder: definition.seriesOrder,
  concurrencyKey: definition.concurrencyKey,
  graceSeconds: definition.graceSeconds,
  timezone: definition.timezone,
  spec: definition.spec,
  createdAt: definition.createdAt,
  updatedAt: definition.updatedAt,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     EventVersion:
 *       type: object
 *       additionalProperties: false
 *       required: [id, version, revision, publishedAt, publishedBy, publishedByUsername, current]
 *       properties:
 *         id: { type: integer }
 *         version: { type: integer, description: Number of the version. Counted from 1 for each event. }
 *         revision:
 *           type: integer
 *           description: >-
 *             `revision` of the event from which the version was created; 0 if unknown.
 *         publishedAt: { type: string, format: date-time }
 *         publishedBy: { type: integer, nullable: true, description: Id of the user; null once the account is deleted. }
 *         publishedByUsername: { type: string, nullable: true, description: Null once the account is deleted. }
 *         current: { type: boolean, description: Whether this is the published version now. }
 */
export const viewVersion = (version: EventVersion, currentVersionId: number | null) => ({
  id: version.id,
  version: version.number,
  revision: version.revision,
  publishedAt: version.publishedAt,
  publishedBy: version.publishedBy,
  publishedByUsername: version.publisher?.username ?? null,
  current: version.id === currentVersionId,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     PublishedEvent:
 *       type: object
 *       additionalProperties: false
 *       required: [event, version, versionId, repinned]
 *       properties:
 *         event: { $ref: '#/components/schemas/EventDefinition' }
 *         version: { type: integer, description: Number of the new version. }
 *         versionId: { type: integer }
 *         repinned:
 *           type: integer
 *           description: Number of scheduled runs that were moved to the new version.
 */
export const viewPublished = (
  { definition, version, repinned }: Published,
  images: ImageRules,
) => ({
  event: viewDefinition(definition, images),
  version: version.number,
  versionId: version.id,
  repinned,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     VerifiedEvent:
 *       type: object
 *       additionalProperties: false
 *       required: [target, versionId, version, recorded, report]
 *       properties:
 *         target:
 *           type: string
 *           enum: [published, draft]
 *           description: What was checked. Always `draft` for an event that was never published.
 *         versionId: { type: integer, nullable: true, description: Null for a draft. }
 *         version: { type: integer, nullable: true, description: Number of the version; null for a draft. }
 *         recorded:
 *           type: boolean
 *           description: Whether the check was recorded, so that the version counts as verified.
 *         report:
 *           type: object
 *           additionalProperties: false
 *           required: [ok, findings, worstCase]
 *           properties:
 *             ok: { type: boolean, description: True if no finding is an error. }
 *             findings: { type: array, items: { $ref: '#/components/schemas/EventFinding' } }
 *             worstCase:
 *               type: object
 *               description: The most that a run can spend of each dimension.
 *               additionalProperties: { type: integer }
 *               example: { broadcasts: 2 }
 *     EventFinding:
 *       type: object
 *       additionalProperties: false
 *       required: [level, path, message]
 *       properties:
 *         level:
 *           type: string
 *           enum: [error, warning]
 *           description: An error keeps the version from being verified; a warning does not.
 *         path: { type: string, description: JSON pointer into the event., example: /spec/phases/0/steps/1/actionId }
 *         message: { type: string, example: shard.champion.start is switched off }
 */
export const viewVerified = ({ target, version, recorded, report }: Verified) => ({
  target,
  versionId: version?.id ?? null,
  version: version?.number ?? null,
  recorded,
  report,
});
