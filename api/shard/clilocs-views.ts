/**
 * The client's texts.
 *
 * @openapi
 * components:
 *   schemas:
 *     LoadedClilocSource:
 *       type: object
 *       additionalProperties: false
 *       required: [label, kind, entries, added, overrode]
 *       properties:
 *         label: { type: string, example: custom/shop.csv }
 *         kind: { type: string, enum: [shard, base, custom] }
 *         entries: { type: integer }
 *         added: { type: integer }
 *         overrode: { type: integer }
 *     ClilocStatus:
 *       type: object
 *       additionalProperties: false
 *       required: [source, configured, path, file, fileReadable, problem, code, shard, drift, count, sources, loadedSources, missingSources, importedAt, sourceBytes]
 *       properties:
 *         source: { type: string, enum: [bridge, file] }
 *         configured: { type: boolean }
 *         path: { type: string }
 *         file: { type: string, nullable: true }
 *         fileReadable: { type: boolean }
 *         problem: { type: string, nullable: true }
 *         code: { type: string, nullable: true, example: COMPRESSED }
 *         shard:
 *           type: object
 *           nullable: true
 *           additionalProperties: false
 *           required: [size, mtime, sha256, extractorVersion, hashing, complete]
 *           properties:
 *             size: { type: integer }
 *             mtime: { type: integer, description: Epoch milliseconds. }
 *             sha256: { type: string, nullable: true }
 *             extractorVersion: { type: integer }
 *             hashing: { type: boolean }
 *             complete: { type: boolean }
 *         drift: { type: boolean, nullable: true }
 *         count: { type: integer, description: Texts that are loaded. }
 *         sources: { type: array, items: { type: string }, description: 'Base first, then overlays in merge order.' }
 *         loadedSources: { type: array, nullable: true, items: { $ref: '#/components/schemas/LoadedClilocSource' } }
 *         missingSources: { type: array, items: { type: string } }
 *         importedAt: { type: string, format: date-time, nullable: true }
 *         sourceBytes: { type: integer, nullable: true }
 *     ClilocRefreshResult:
 *       type: object
 *       additionalProperties: false
 *       required: [status, reason, source, code, path, file, count, parsed, blank, overlayProblem, sources]
 *       properties:
 *         status: { type: string, enum: [skipped, unavailable, unchanged, imported, needsReview, failed] }
 *         reason: { type: string, nullable: true }
 *         source: { type: string, nullable: true, enum: [bridge, file, null] }
 *         code: { type: string, nullable: true, example: TRUNCATED }
 *         path: { type: string, nullable: true }
 *         file: { type: string, nullable: true }
 *         count: { type: integer, nullable: true, description: 'Texts that are stored, without blank ones.' }
 *         parsed: { type: integer, nullable: true }
 *         blank: { type: integer, nullable: true }
 *         pages: { type: integer, nullable: true, description: Over the link alone. }
 *         reported: { type: integer, nullable: true, description: Over the link alone. }
 *         received: { type: integer, nullable: true, description: Over the link alone. }
 *         overlayProblem: { type: string, nullable: true }
 *         sources: { type: array, items: { $ref: '#/components/schemas/LoadedClilocSource' } }
 *         missingSources: { type: array, items: { type: string }, description: On `needsReview`. }
 *         acceptedMissing: { type: array, items: { type: string }, description: On `imported` with `approve`. }
 */
