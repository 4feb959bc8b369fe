import type { ImportStatus } from "./codes.ts";
import type { ImportResult } from "./result.ts";

/**
 * One source of texts, and what it brought.
 *
 * @openapi
 * components:
 *   schemas:
 *     LoadedClilocSource:
 *       type: object
 *       additionalProperties: false
 *       required: [label, kind, entries, added, overrode]
 *       properties:
 *         label:
 *           type: string
 *           description: Path of the file within the source. `shard` if the shard is the source.
 *           example: custom/shop.csv
 *         kind: { type: string, enum: [shard, base, custom] }
 *         entries: { type: integer, description: Number of texts in this source. }
 *         added: { type: integer, description: Number of texts that no earlier source contains. }
 *         overrode: { type: integer, description: Number of texts that replace texts of earlier sources. }
 */
export interface LoadedSource {
  /** Its path under the root; `shard` over the link. */
  readonly label: string;
  readonly kind: "shard" | "base" | "custom";
  readonly entries: number;
  /** Texts that were not there before it. */
  readonly added: number;
  /** Texts that it put in another's place. */
  readonly overrode: number;
}

export const clilocSources = ["bridge", "file"] as const;
export type ClilocSource = (typeof clilocSources)[number];

/**
 * ClilocRefreshResult; what is printed "only on" a status or source is absent elsewhere.
 *
 * @openapi
 * components:
 *   schemas:
 *     ClilocRefreshResult:
 *       type: object
 *       additionalProperties: false
 *       required: [status, reason, source, code, path, file, count, parsed, blank, overlayProblem, sources]
 *       properties:
 *         status: { $ref: '#/components/schemas/ClilocEnd' }
 *         reason:
 *           type: string
 *           nullable: true
 *           description: Explanation of the status. Null if there is none.
 *         source: { $ref: '#/components/schemas/ClilocSourceOrNull' }
 *         code: { $ref: '#/components/schemas/ClilocCode' }
 *         path:
 *           type: string
 *           nullable: true
 *           description: Configured path. Null if the shard is the source.
 *         file:
 *           type: string
 *           nullable: true
 *           description: The client file that was found at the path.
 *         count:
 *           type: integer
 *           nullable: true
 *           description: Number of stored texts, without blank ones.
 *         parsed: { type: integer, nullable: true, description: Number of texts that were read. }
 *         blank:
 *           type: integer
 *           nullable: true
 *           description: Number of blank texts, which are not stored.
 *         pages:
 *           type: integer
 *           nullable: true
 *           description: Number of pages that were read. Only if the shard is the source.
 *         reported:
 *           type: integer
 *           nullable: true
 *           description: Number of texts that the shard reported. Only if the shard is the source.
 *         received:
 *           type: integer
 *           nullable: true
 *           description: Number of texts that the shard sent. Only if the shard is the source.
 *         overlayProblem:
 *           type: string
 *           nullable: true
 *           description: Why an overlay could not be read. Null if all overlays were read.
 *         sources: { type: array, items: { $ref: '#/components/schemas/LoadedClilocSource' } }
 *         missingSources:
 *           type: array
 *           description: Loaded files that are no longer in the source. Only with `needsReview`.
 *           items: { type: string }
 *         acceptedMissing:
 *           type: array
 *           description: >-
 *             Missing files whose texts were deleted. Only with the status `imported` after
 *             `approve`.
 *           items: { type: string }
 */
export interface ClilocResult extends ImportResult {
  readonly status: ImportStatus<"clilocs">;
  readonly source: ClilocSource | null;
  readonly path: string | null;
  readonly file: string | null;
  /** Texts that are stored; blank ones are not. */
  readonly count: number | null;
  readonly parsed: number | null;
  readonly blank: number | null;
  readonly pages?: number | null;
  readonly reported?: number | null;
  readonly received?: number | null;
  readonly overlayProblem: string | null;
  readonly sources: readonly LoadedSource[];
  readonly missingSources?: readonly string[];
  readonly acceptedMissing?: readonly string[];
}

/** Every field of the result without its value. */
export const blankClilocResult = {
  reason: null,
  source: null,
  code: null,
  path: null,
  file: null,
  count: null,
  parsed: null,
  blank: null,
  overlayProblem: null,
  sources: [],
} as const satisfies Omit<ClilocResult, "status">;
