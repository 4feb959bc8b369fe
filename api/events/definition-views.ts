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
 *         imageUrl: { type: string, nullable: true }
 *         ownerModule: { type: string, example: core }
 *         state: { $ref: '#/components/schemas/EventState' }
 *         currentVersionId: { type: integer, nullable: true }
 *         currentVersion: { type: integer, nullable: true, description: Its number. }
 *         currentVersionVerifiedAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When a dry run of the published version last found no fault.
 *         currentVersionRevision:
 *           type: integer
 *           nullable: true
 *           description: The `revision` that the published version was made of. Zero where it had none.
 *         revision:
 *           type: integer
 *           description: Raised by each change. Send it as `basedOn` to publish what was read.
 *         seriesId: { type: integer, nullable: true }
 *         seriesName: { type: string, nullable: true }
 *         seriesOrder: { type: integer }
 *         concurrencyKey: { type: string, nullable: true }
 *         graceSeconds: { type: integer }
 *         timezone: { type: string, example: Europe/Berlin }
 *         spec: { $ref: '#/components/schemas/EventSpec' }
 *         createdAt: { type: string, format: date-time }
 *         updatedAt: { type: string, format: date-time }
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
 *         version: { type: integer, description: Its number. }
 *         revision: { type: integer, description: The revision of the event that it was made of. }
 *         publishedAt: { type: string, format: date-time }
 *         publishedBy: { type: integer, nullable: true }
 *         publishedByUsername: { type: string, nullable: true, description: Null once the account is deleted. }
 *         current: { type: boolean }
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
 *         version: { type: integer, description: Its number. }
 *         versionId: { type: integer }
 *         repinned: { type: integer, description: Runs that wait and were moved to it. }
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
 *         target: { type: string, enum: [published, draft] }
 *         versionId: { type: integer, nullable: true }
 *         version: { type: integer, nullable: true, description: Its number. }
 *         recorded: { type: boolean, description: Whether the version counts as verified now. }
 *         report:
 *           type: object
 *           additionalProperties: false
 *           required: [ok, findings, worstCase]
 *           properties:
 *             ok: { type: boolean, description: No finding is an error. }
 *             findings: { type: array, items: { $ref: '#/components/schemas/EventFinding' } }
 *             worstCase:
 *               type: object
 *               description: What a run may spend of each dimension.
 *               additionalProperties: { type: integer }
 *               example: { broadcasts: 2 }
 *     EventFinding:
 *       type: object
 *       additionalProperties: false
 *       required: [level, path, message]
 *       properties:
 *         level: { type: string, enum: [error, warning] }
 *         path: { type: string, example: /spec/phases/0/steps/1/actionId }
 *         message: { type: string, example: shard.champion.start is switched off }
 */
export const viewVerified = ({ target, version, recorded, report }: Verified) => ({
  target,
  versionId: version?.id ?? null,
  version: version?.number ?? null,
  recorded,
  report,
});
