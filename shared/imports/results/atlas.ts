import type { ImportStatus } from "./codes.ts";
import type { ImportResult } from "./result.ts";
import type { SkipCounts, SkipExamples } from "./skipped.ts";
import type { SourceFault } from "./source-fault.ts";

/** What an atlas holds, counted. */
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

/** AtlasRefreshResult. */
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
