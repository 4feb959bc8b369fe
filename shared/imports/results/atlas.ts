import type { ImportStatus } from "./codes.ts";
import type { ImportResult } from "./result.ts";
import type { SkipCounts, SkipExamples } from "./skipped.ts";
import type { SourceFault } from "./source-fault.ts";

/**
 * What an atlas holds, counted.
 *
 * @openapi
 * components:
 *   schemas:
 *     AtlasCounts:
 *       type: object
 *       nullable: true
 *       description: Counts of what the atlas contains. Null if nothing was read.
 *       additionalProperties: false
 *       required: [facets, regions, rects, spawners, entries, creatures, files, skipped, warnings, perFacet]
 *       properties:
 *         facets: { type: integer }
 *         regions: { type: integer }
 *         rects: { type: integer, description: Number of boxes in all regions. }
 *         spawners: { type: integer }
 *         entries: { type: integer, description: Number of creature entries in all spawners. }
 *         creatures:
 *           type: integer
 *           description: >-
 *             Number of different creature types. Types that differ only in case count as the same
 *             type.
 *         files: { type: integer }
 *         skipped: { type: integer, description: Number of files and records that the import left out. }
 *         skippedBy:
 *           type: object
 *           description: >-
 *             Number of files and records that the import left out, for each reason. Reasons that
 *             did not occur are absent.
 *           additionalProperties: false
 *           properties:
 *             noFacet:
 *               type: integer
 *               description: >-
 *                 Number of records without a facet, or on the internal facet, on which the game
 *                 keeps characters that are not in the game.
 *             noPosition:
 *               type: integer
 *               description: >-
 *                 Number of records whose position is missing or is not in whole numbers.
 *             outsideMap:
 *               type: integer
 *               description: Number of spawners that are outside the map of their facet.
 *               example: 1
 *             notARecord:
 *               type: integer
 *               description: Number of entries that are neither a region nor a spawner.
 *             emptyFile: { type: integer, description: Number of files without content. }
 *             otherFormat: { type: integer, description: Number of spawn files in an unknown format. }
 *         skippedExamples:
 *           type: object
 *           description: >-
 *             The first five records that were left out for each reason, with file and position.
 *             Absent if nothing was left out.
 *           additionalProperties: false
 *           properties:
 *             outsideMap: { type: array, items: { type: string, example: 'Spawns/felucca.xml: Felucca 9000, 10' } }
 *         warnings: { type: integer, description: Number of irregularities in records that the import read. }
 *         regionSpawns:
 *           type: integer
 *           description: >-
 *             Number of spawns that belong to a region and have no position. The import does not
 *             read them.
 *         perFacet:
 *           type: object
 *           description: The counts for each facet.
 *           additionalProperties:
 *             type: object
 *             properties:
 *               regions: { type: integer }
 *               rects: { type: integer }
 *               spawners: { type: integer }
 *               entries: { type: integer }
 *               total: { type: integer, description: Number of creatures that can be alive at the same time. }
 */
export interface AtlasCounts {
  readonly facets: number;
  readonly regions: number;
  readonly rects: number;
  readonly spawners: number;
  readonly entries: number;
  /** Types, whatever their spelling. */
  readonly creatures: number;
  readonly files: number;
  /** Files and records that were left out. */
  readonly skipped: number;
  /** The same by reason; absent where an older release counted, as are region spawns. */
  readonly skippedBy?: SkipCounts;
  /** Some of what was left out; absent where nothing of it is named. */
  readonly skippedExamples?: SkipExamples;
  /** Oddities that were read all the same. */
  readonly warnings: number;
  /** Spawns that stand within regions: they have no position of their own and are not read. */
  readonly regionSpawns?: number;
  readonly perFacet: Readonly<Record<string, FacetCounts>>;
}

export interface FacetCounts {
  readonly regions: number;
  readonly rects: number;
  readonly spawners: number;
  readonly entries: number;
  /** Creatures that may be alive at once. */
  readonly total: number;
}

/** Over the link to the shard, or from a local tree. */
export const atlasSources = ["bridge", "fs"] as const;
export type AtlasSourceName = (typeof atlasSources)[number];

/**
 * AtlasRefreshResult.
 *
 * @openapi
 * components:
 *   schemas:
 *     AtlasRefreshResult:
 *       type: object
 *       additionalProperties: false
 *       required: [status, reason, path, code, counts, addedFacets, removedFacets]
 *       properties:
 *         status: { $ref: '#/components/schemas/AtlasEnd' }
 *         reason:
 *           type: string
 *           nullable: true
 *           description: Explanation of the status, for people. Null if there is none.
 *         source: { $ref: '#/components/schemas/AtlasSourceOrNull' }
 *         path:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Path of the directory tree that is the source. Null if the shard is the source.
 *         code: { $ref: '#/components/schemas/AtlasCode' }
 *         counts: { $ref: '#/components/schemas/AtlasCounts' }
 *         addedFacets:
 *           type: array
 *           description: Facets that the source contains but the loaded atlas does not.
 *           items: { type: string }
 *         removedFacets:
 *           type: array
 *           description: Facets that the loaded atlas contains but the source does not.
 *           items: { type: string }
 */
export interface AtlasResult extends ImportResult {
  readonly status: ImportStatus<"atlas">;
  readonly source: AtlasSourceName | null;
  readonly path: string | null;
  readonly counts: AtlasCounts | null;
  readonly addedFacets: readonly string[];
  readonly removedFacets: readonly string[];
}

/** Every field of the result without its value. */
export const blankAtlasResult = {
  reason: null,
  source: null,
  path: null,
  code: null,
  counts: null,
  addedFacets: [],
  removedFacets: [],
} as const satisfies Omit<AtlasResult, "status">;

export const nothingPending: AtlasResult = {
  ...blankAtlasResult,
  status: "none",
  reason: "Nothing awaits review",
};

/** A fault's code as the contract of the atlas prints it, which has none for an unreadable file. */
export const atlasCodeOf = ({ code }: SourceFault): string =>
  code === "UNREADABLE" ? "NOT_FOUND" : code;
