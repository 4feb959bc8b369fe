import type { EventDefinition } from "../../models/events/event-definition.ts";
import type { EventVersion } from "../../models/events/event-version.ts";
import type { PublishResult } from "../../shared/events/definitions/publish.ts";
import type { VerifyResult } from "../../shared/events/definitions/verify.ts";
import { type ImageRules, findAllowedImage } from "../../shared/platform/net/image-address.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     Definition:
 *       type: object
 *       additionalProperties: false
 *       required: [id, title, slug, summary, body, imageUrl, ownerModule, state, currentVersionId, currentVersion, currentVersionVerifiedAt, currentVersionRevision, revision, seriesId, seriesName, seriesOrder, concurrencyKey, graceSeconds, timezone, spec, createdAt, updatedAt]
 *       properties:
 *         id: { type: integer }
 *         title: { type: string, example: The champion evening }
 *         slug: { type: string, example: the-champion-evening }
 *         summary: { type: string, example: Barracoon stirs. }
 *         body: { type: string, description: Text of the event in Markdown., example: Meet at the moongate. }
 *         imageUrl:
 *           type: string
 *           nullable: true
 *           description: >-
 *             URL of the event's image. Null if the event has no image, or if the site does not
 *             allow images from this URL now.
 *         ownerModule:
 *           type: string
 *           description: >-
 *             Module of the service that owns the event. `core` for events that staff create.
 *           example: core
 *         state: { $ref: '#/components/schemas/EventState' }
 *         currentVersionId: { type: integer, nullable: true, description: Id of the published version. Null before the first publication. }
 *         currentVersion: { type: integer, nullable: true, description: Number of the published version. Null before the first publication. }
 *         currentVersionVerifiedAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: >-
 *             Time of the last dry run of the published version that found no errors. Null if there
 *             was no such dry run; in this case, runs with a scheduled time do not start.
 *             Publishing a new version sets this field to null.
 *         currentVersionRevision:
 *           type: integer
 *           nullable: true
 *           description: >-
 *             `revision` that the event had when the published version was created. 0 for a version
 *             that was created before the service counted revisions. Null before the first
 *             publication.
 *         revision:
 *           type: integer
 *           description: >-
 *             Number of the event's current revision. Each `PUT` of the event raises this number.
 *             Send the number as `basedOn` with a change: if the event has changed since it was
 *             read, the change is refused.
 *         seriesId: { type: integer, nullable: true }
 *         seriesName: { type: string, nullable: true }
 *         seriesOrder: { type: integer, description: Position of the event in its series. Events with lower values come first. }
 *         concurrencyKey:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Key that limits concurrency: of all runs with the same key, even of different events,
 *             only one is under way at a time. Null for no limit.
 *         graceSeconds:
 *           type: integer
 *           description: >-
 *             How many seconds late a run may start before its status becomes `missed`. Values
 *             below 5 count as 5.
 *         timezone: { type: string, description: IANA time zone in which the times of the schedule apply., example: Europe/Berlin }
 *         spec: { $ref: '#/components/schemas/EventSpec' }
 *         createdAt: { type: string, format: date-time }
 *         updatedAt:
 *           type: string
 *           format: date-time
 *           description: When the event was last changed, published or archived.
 */
export const viewDefinition = (definition: EventDefinition, images: ImageRules) => ({
  id: definition.id,
  title: definition.title,
  slug: definition.slug,
  summary: definition.summary,
  body: definition.body,
  imageUrl: findAllowedImage(definition.imageUrl, images),
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
 *     Version:
 *       type: object
 *       additionalProperties: false
 *       required: [id, version, revision, publishedAt, publishedBy, publishedByUsername, current]
 *       properties:
 *         id: { type: integer }
 *         version: { type: integer, description: Number of the version. Each event numbers its versions from 1. }
 *         revision:
 *           type: integer
 *           description: >-
 *             `revision` that the event had when the version was created. 0 for a version that was
 *             created before the service counted revisions.
 *         publishedAt: { type: string, format: date-time }
 *         publishedBy: { type: integer, nullable: true, description: Id of the user who published the version. Null if the account was deleted. }
 *         publishedByUsername: { type: string, nullable: true, description: Username of the user who published the version. Null if the account was deleted. }
 *         current: { type: boolean, description: Whether this version is the one that is published now. }
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
 *         event: { $ref: '#/components/schemas/Definition' }
 *         version: { type: integer, description: Number of the new version. }
 *         versionId: { type: integer }
 *         repinned:
 *           type: integer
 *           description: Number of scheduled runs that the publication moved to the new version.
 */
export const viewPublishResult = (
  { definition, version, repinned }: PublishResult,
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
 *           description: >-
 *             What the dry run checked. Always `draft` for an event that was never published.
 *         versionId: { type: integer, nullable: true, description: Id of the checked version. Null for a draft. }
 *         version: { type: integer, nullable: true, description: Number of the checked version. Null for a draft. }
 *         recorded:
 *           type: boolean
 *           description: >-
 *             Whether the service recorded the check, so that the version now counts as verified.
 *         report:
 *           type: object
 *           additionalProperties: false
 *           required: [ok, findings, worstCase]
 *           properties:
 *             ok: { type: boolean, description: Whether the check found no errors. Findings that are warnings do not count. }
 *             findings: { type: array, items: { $ref: '#/components/schemas/EventFinding' } }
 *             worstCase:
 *               type: object
 *               description: The maximum that a run can spend of each dimension.
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
 *           description: >-
 *             Severity of the finding. An error prevents the version from being verified; a warning
 *             does not.
 *         path: { type: string, description: JSON pointer to the part of the event that the finding is about., example: /spec/phases/0/steps/1/actionId }
 *         message: { type: string, example: shard.champion.start is switched off }
 */
export const viewVerifyResult = ({ target, version, recorded, report }: VerifyResult) => ({
  target,
  versionId: version?.id ?? null,
  version: version?.number ?? null,
  recorded,
  report,
});
