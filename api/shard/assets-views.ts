/**
 * What admins see of the import of pictures. The results are made in shared/shard/assets.
 *
 * @openapi
 * components:
 *   schemas:
 *     AssetStatus:
 *       type: object
 *       additionalProperties: false
 *       required: [loaded, shard, drift, reason, code]
 *       properties:
 *         loaded:
 *           type: object
 *           additionalProperties: false
 *           required: [assets, stored, creatures, resolved, catalog, extractorVersion, importedAt,
 *             items, land]
 *           properties:
 *             assets: { type: integer, description: Keys of the catalogue. }
 *             stored: { type: integer, description: Keys whose picture is held. }
 *             items: { type: integer, description: Those of items. }
 *             land: { type: integer, description: Those of land tiles. }
 *             creatures: { type: integer, description: Types of creatures in the atlas. }
 *             resolved: { type: integer, description: Those that have a body with a picture. }
 *             catalog: { type: string, nullable: true }
 *             extractorVersion: { type: integer, nullable: true }
 *             importedAt: { type: string, format: date-time, nullable: true }
 *         shard:
 *           type: object
 *           nullable: true
 *           description: Null while it cannot be read.
 *           additionalProperties: false
 *           required: [files, extractorVersion, hashing, complete, imaging, families]
 *           properties:
 *             files: { type: integer }
 *             extractorVersion: { type: integer }
 *             hashing: { type: boolean }
 *             complete: { type: boolean }
 *             imaging:
 *               type: object
 *               nullable: true
 *               additionalProperties: false
 *               required: [ok, code, reason]
 *               properties:
 *                 ok: { type: boolean }
 *                 code: { type: string, nullable: true }
 *                 reason: { type: string, nullable: true }
 *             families: { type: array, items: { type: string }, example: [body, item, land] }
 *         drift:
 *           type: boolean
 *           nullable: true
 *           description: Whether the shard's pictures are others than those loaded.
 *         reason: { type: string, nullable: true }
 *         code:
 *           type: string
 *           nullable: true
 *           enum: [DISABLED, NO_SOURCE, SHARD_DOWN, PROTOCOL, BUSY, NO_IMAGING, SOURCE_CHANGED,
 *             UNAVAILABLE, null]
 *     AssetImportResult:
 *       type: object
 *       additionalProperties: false
 *       required: [status, reason, code, catalog, extractorVersion, assets, fetched, written, absent,
 *         unsupported, scanned, pages, playerBodies, bodies, art]
 *       properties:
 *         status:
 *           type: string
 *           enum: [skipped, unavailable, unchanged, imported, needsReview, failed]
 *         reason: { type: string, nullable: true }
 *         code:
 *           type: string
 *           nullable: true
 *           enum: [DISABLED, NO_SOURCE, SHARD_DOWN, PROTOCOL, BUSY, NO_IMAGING, SOURCE_CHANGED,
 *             INCOMPLETE, STUCK, MALFORMED, TOO_LARGE, UNAVAILABLE, null]
 *         catalog: { type: string, nullable: true }
 *         extractorVersion: { type: integer, nullable: true }
 *         assets: { type: integer, nullable: true, description: Keys of the catalogue. }
 *         fetched: { type: integer, nullable: true, description: Pictures that came. }
 *         written:
 *           type: integer
 *           nullable: true
 *           description: Keys that show another picture than before.
 *         absent: { type: integer, nullable: true, description: Keys without art. }
 *         unsupported: { type: integer, nullable: true, description: Keys the shard does not serve. }
 *         removed: { type: integer, description: Only with `approve`. }
 *         scanned: { type: integer, nullable: true }
 *         pages: { type: integer, nullable: true }
 *         playerBodies: { type: array, items: { type: integer } }
 *         vanished:
 *           type: array
 *           maxItems: 50
 *           items: { type: string, example: 'body:17' }
 *           description: Only on `needsReview`.
 *         vanishedCount: { type: integer, description: Only on `needsReview`. }
 *         bodies:
 *           type: object
 *           additionalProperties: false
 *           required: [asked, answered, resolved, tally, reason]
 *           properties:
 *             asked: { type: integer, description: Types of creatures. }
 *             answered: { type: integer }
 *             resolved: { type: integer, description: Those whose body has a picture now. }
 *             tally:
 *               type: object
 *               additionalProperties: false
 *               required: [ok, unknown, notCreature, failed]
 *               properties:
 *                 ok: { type: integer }
 *                 unknown: { type: integer }
 *                 notCreature: { type: integer }
 *                 failed: { type: integer }
 *             reason: { type: string, nullable: true }
 *         art:
 *           type: object
 *           additionalProperties: false
 *           required: [applied, derived, operator, error]
 *           properties:
 *             applied: { type: integer, description: Creatures that show another picture now. }
 *             derived: { type: integer, description: Creatures shown by the picture of their body. }
 *             operator: { type: integer, description: Creatures whose picture an operator chose. }
 *             error: { type: string, nullable: true }
 *     ItemArtWarmResult:
 *       type: object
 *       additionalProperties: false
 *       required: [status, reason, code, catalog, wanted, held, asked, fetched, written, absent,
 *         unsupported, remaining]
 *       properties:
 *         status: { type: string, enum: [skipped, unavailable, unchanged, imported, failed] }
 *         reason: { type: string, nullable: true }
 *         code:
 *           type: string
 *           nullable: true
 *           enum: [DISABLED, NO_SOURCE, SHARD_DOWN, PROTOCOL, BUSY, NO_IMAGING, UNSUPPORTED,
 *             INCOMPLETE, STUCK, MALFORMED, TOO_LARGE, UNAVAILABLE, null]
 *         catalog: { type: string, nullable: true }
 *         wanted: { type: integer, nullable: true, description: Pictures that listings show. }
 *         held: { type: integer, nullable: true, description: Those that were held before. }
 *         asked: { type: integer, nullable: true }
 *         fetched: { type: integer, nullable: true }
 *         written:
 *           type: integer
 *           nullable: true
 *           description: Keys that show another picture than before.
 *         absent: { type: integer, nullable: true, description: Keys without art. }
 *         unsupported: { type: integer, nullable: true, description: Keys the shard does not serve. }
 *         remaining: { type: integer, nullable: true, description: Those still to be asked for. }
 */
export const assetComponents = ["AssetStatus", "AssetImportResult", "ItemArtWarmResult"];
