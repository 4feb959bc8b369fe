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
 *         label: { type: string, example: custom/shop.csv }
 *         kind: { type: string, enum: [shard, base, custom] }
 *         entries: { type: integer }
 *         added: { type: integer }
 *         overrode: { type: integer }
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
 *         reason: { type: string, nullable: true }
 *         source: { $ref: '#/components/schemas/ClilocSourceOrNull' }
 *         code: { $ref: '#/components/schemas/ClilocCode' }
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
