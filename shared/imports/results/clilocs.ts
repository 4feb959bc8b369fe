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
 *           description: >-
 *             Path of the file within the configured directory. `shard` if the texts come from the
 *             shard.
 *           example: custom/shop.csv
 *         kind: { type: string, enum: [shard, base, custom] }
 *         entries: { type: integer, description: 'Number of texts in this file or, with `shard`, from the shard.' }
 *         added: { type: integer, description: Number of these texts that no earlier file in the list contains. }
 *         overrode: { type: integer, description: Number of these texts that replace texts of earlier files in the list. }
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
 *           description: Explanation of the status, for people. Null if there is none.
 *         source: { $ref: '#/components/schemas/ClilocSourceOrNull' }
 *         code: { $ref: '#/components/schemas/ClilocCode' }
 *         path:
 *           type: string
 *           nullable: true
 *           description: Configured path of the client's texts. Null if the shard is the source.
 *         file:
 *           type: string
 *           nullable: true
 *           description: >-
 *             File of the game client that was found at the path. Null if none was found.
 *         count:
 *           type: integer
 *           nullable: true
 *           description: Number of texts that the service stores. Blank texts are not stored.
 *         parsed: { type: integer, nullable: true, description: Number of texts that the import read. }
 *         blank:
 *           type: integer
 *           nullable: true
 *           description: Number of blank texts, which are not stored.
 *         pages:
 *           type: integer
 *           nullable: true
 *           description: >-
 *             Number of pages of texts that the import read. Absent unless the shard is the source.
 *         reported:
 *           type: integer
 *           nullable: true
 *           description: >-
 *             Number of texts that the shard said it has. Absent unless the shard is the source.
 *         received:
 *           type: integer
 *           nullable: true
 *           description: >-
 *             Number of texts that the shard sent. Absent unless the shard is the source.
 *         overlayProblem:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Why an overlay (a file that adds or replaces texts) could not be read. Null if all
 *             overlays were read.
 *         sources: { type: array, items: { $ref: '#/components/schemas/LoadedClilocSource' } }
 *         missingSources:
 *           type: array
 *           description: >-
 *             Files from which texts are loaded but which are no longer in the source. Present only
 *             if the status is `needsReview`.
 *           items: { type: string }
 *         acceptedMissing:
 *           type: array
 *           description: >-
 *             Missing files whose texts the import deleted. Present only if the request contained
 *             `approve` and the status is `imported`.
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
