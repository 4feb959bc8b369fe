import type { ImportResult, ImportStatus } from "./codes.ts";

/** One source of texts, and what it brought. */
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

/** ClilocRefreshResult; what is printed "only on" a status or source is absent elsewhere. */
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
