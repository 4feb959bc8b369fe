import type { ImportResult, ImportStatus } from "./codes.ts";

/** One source of texts, and the number of texts that it added and replaced. */
export interface LoadedClilocSource {
  /** The path of the file below the root; `shard` if the texts came over the link. */
  readonly label: string;
  readonly kind: "shard" | "base" | "custom";
  readonly entries: number;
  /** Number of texts that no earlier source had. */
  readonly added: number;
  /** The number of texts that replaced those of an earlier source. */
  readonly overrode: number;
}

export const clilocSources = ["bridge", "file"] as const;
export type ClilocSource = (typeof clilocSources)[number];

/** `ClilocRefreshResult` of the API. A field that the API limits to some statuses is otherwise absent. */
export interface ClilocResult extends ImportResult {
  readonly status: ImportStatus<"clilocs">;
  readonly source: ClilocSource | null;
  readonly path: string | null;
  readonly file: string | null;
  /** Stored texts. Blank texts are not stored. */
  readonly count: number | null;
  readonly parsed: number | null;
  readonly blank: number | null;
  readonly pages?: number | null;
  readonly reported?: number | null;
  readonly received?: number | null;
  readonly overlayProblem: string | null;
  readonly sources: readonly LoadedClilocSource[];
  readonly missingSources?: readonly string[];
  readonly acceptedMissing?: readonly string[];
}

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
