/**
 * The spawn atlas. What it is and what an import of it answers is decided in shared/shard/atlas.
 *
 * @openapi
 * components:
 *   schemas:
 *     AtlasFacet:
 *       type: object
 *       additionalProperties: false
 *       required: [name, regions, rects, spawners, entries, total]
 *       properties:
 *         name: { type: string, example: Felucca }
 *         regions: { type: integer }
 *         rects: { type: integer }
 *         spawners: { type: integer }
 *         entries: { type: integer }
 *         total: { type: integer, description: Creatures that may be alive at once. }
 *     AtlasPoint:
 *       type: object
 *       nullable: true
 *       required: [x, y, z]
 *       properties:
 *         x: { type: integer }
 *         y: { type: integer }
 *         z: { type: integer }
 *         map: { type: string, description: 'Of an entrance: it may lie on another facet.' }
 *     AtlasRect:
 *       type: object
 *       nullable: true
 *       description: 'Half-open: x1 ≤ x < x2.'
 *       required: [x1, y1, x2, y2]
 *       properties:
 *         x1: { type: integer }
 *         y1: { type: integer }
 *         x2: { type: integer }
 *         y2: { type: integer }
 *         z1: { type: integer }
 *         z2: { type: integer }
 *     AtlasRegion:
 *       type: object
 *       additionalProperties: false
 *       required: [key, name, type, parent, level, priority, rects, go, entrance, music, rune, guarded, housing, logoutDelay, minExpansion, maxExpansion, area]
 *       properties:
 *         key: { type: string }
 *         name: { type: string, nullable: true }
 *         type: { type: string, nullable: true, example: TownRegion }
 *         parent: { type: string, nullable: true }
 *         level: { type: integer }
 *         priority: { type: integer }
 *         rects: { type: array, items: { $ref: '#/components/schemas/AtlasRect' } }
 *         go: { $ref: '#/components/schemas/AtlasPoint' }
 *         entrance: { $ref: '#/components/schemas/AtlasPoint' }
 *         music: { type: string, nullable: true }
 *         rune: { type: string, nullable: true }
 *         guarded: { type: boolean }
 *         housing: { type: boolean }
 *         logoutDelay: { type: boolean }
 *         minExpansion: { type: string, nullable: true }
 *         maxExpansion: { type: string, nullable: true }
 *         area: { type: number, description: In tiles. }
 *     AtlasEntry:
 *       type: object
 *       additionalProperties: false
 *       required: [type, max, probability, status, body, art]
 *       properties:
 *         type: { type: string, example: Orc }
 *         max: { type: integer }
 *         probability: { type: number, nullable: true }
 *         status: { type: string, nullable: true, enum: [ok, unknown, notCreature, failed, null] }
 *         body: { type: integer, nullable: true }
 *         art:
 *           type: string
 *           nullable: true
 *           example: body:17
 *           description:
 *             The key of its picture, to which `/public/assets/:key` leads whoever may see the market.
 *             It is the one that an operator chose while that is held, else that of its body.
 *     AtlasSpawn:
 *       type: object
 *       additionalProperties: false
 *       required: [key, name, x, y, z, rect, homeRange, walkRange, count, minDelaySec, maxDelaySec, running, region, entries]
 *       properties:
 *         key: { type: string }
 *         name: { type: string, nullable: true }
 *         x: { type: integer }
 *         y: { type: integer }
 *         z: { type: integer }
 *         rect: { $ref: '#/components/schemas/AtlasRect' }
 *         homeRange: { type: integer }
 *         walkRange: { type: integer }
 *         count: { type: integer }
 *         minDelaySec: { type: number }
 *         maxDelaySec: { type: number }
 *         running: { type: boolean }
 *         region: { type: string, nullable: true }
 *         entries: { type: array, items: { $ref: '#/components/schemas/AtlasEntry' } }
 *     AtlasPage:
 *       type: object
 *       additionalProperties: false
 *       required: [facets, facet, regions, spawns, total, limit, offset, importedAt]
 *       properties:
 *         facets: { type: array, items: { $ref: '#/components/schemas/AtlasFacet' } }
 *         facet: { type: string, nullable: true, description: Null in the summary. }
 *         regions: { type: array, items: { $ref: '#/components/schemas/AtlasRegion' } }
 *         spawns: { type: array, items: { $ref: '#/components/schemas/AtlasSpawn' } }
 *         total: { type: integer, description: 'Spawners that match, whatever the page.' }
 *         limit: { type: integer }
 *         offset: { type: integer }
 *         importedAt: { type: string, format: date-time, nullable: true }
 *     AtlasCounts:
 *       type: object
 *       nullable: true
 *       additionalProperties: false
 *       required: [facets, regions, rects, spawners, entries, creatures, files, skipped, warnings, perFacet]
 *       properties:
 *         facets: { type: integer }
 *         regions: { type: integer }
 *         rects: { type: integer }
 *         spawners: { type: integer }
 *         entries: { type: integer }
 *         creatures: { type: integer, description: 'Types, whatever their spelling.' }
 *         files: { type: integer }
 *         skipped: { type: integer, description: Files and records that were left out. }
 *         warnings: { type: integer, description: Oddities that were read all the same. }
 *         perFacet:
 *           type: object
 *           additionalProperties:
 *             type: object
 *             properties:
 *               regions: { type: integer }
 *               rects: { type: integer }
 *               spawners: { type: integer }
 *               entries: { type: integer }
 *               total: { type: integer }
 *     SourceStamp:
 *       type: object
 *       additionalProperties: false
 *       required: [path, size, sha256]
 *       properties:
 *         path: { type: string }
 *         size: { type: integer }
 *         sha256: { type: string }
 *     AtlasStatus:
 *       type: object
 *       additionalProperties: false
 *       required: [source, path, readable, problem, code, drift, loaded, pending]
 *       properties:
 *         source: { type: string, enum: [bridge, fs] }
 *         path: { type: string, nullable: true }
 *         readable: { type: boolean }
 *         problem: { type: string, nullable: true }
 *         code: { type: string, nullable: true }
 *         drift: { type: boolean, nullable: true, description: Whether the source is another than what is loaded. }
 *         loaded:
 *           type: object
 *           additionalProperties: false
 *           required: [facets, regions, spawners, creatures, importedAt, sources, kind, era]
 *           properties:
 *             facets: { type: integer }
 *             regions: { type: integer }
 *             spawners: { type: integer }
 *             creatures: { type: integer }
 *             importedAt: { type: string, format: date-time, nullable: true }
 *             sources: { type: array, items: { $ref: '#/components/schemas/SourceStamp' } }
 *             kind: { type: string, nullable: true, enum: [servuo, modernuo, runuo, null] }
 *             era: { type: string, nullable: true, description: Which of a ModernUO tree's alternatives is loaded. }
 *         pending:
 *           type: object
 *           nullable: true
 *           additionalProperties: false
 *           required: [status, removedFacets, addedFacets, counts, stagedAt]
 *           properties:
 *             status: { type: string, enum: [pending, rejected] }
 *             removedFacets: { type: array, items: { type: string } }
 *             addedFacets: { type: array, items: { type: string } }
 *             counts: { $ref: '#/components/schemas/AtlasCounts' }
 *             stagedAt: { type: string, format: date-time }
 *     AtlasRefreshResult:
 *       type: object
 *       additionalProperties: false
 *       required: [status, reason, path, code, counts, addedFacets, removedFacets]
 *       properties:
 *         status: { type: string, enum: [skipped, unavailable, unchanged, imported, needsReview, failed, rejected, none] }
 *         reason: { type: string, nullable: true }
 *         source: { type: string, nullable: true, enum: [bridge, fs, null] }
 *         path: { type: string, nullable: true }
 *         code: { type: string, nullable: true, example: NO_SPAWNS }
 *         counts: { $ref: '#/components/schemas/AtlasCounts' }
 *         addedFacets: { type: array, items: { type: string } }
 *         removedFacets: { type: array, items: { type: string } }
 */
