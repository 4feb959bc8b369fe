import type { ImportResult, ImportStatus } from "./codes.ts";
import type { SourceFault } from "./source-fault.ts";

export interface AtlasCounts {
  readonly facets: number;
  readonly regions: number;
  readonly rects: number;
  readonly spawners: number;
  readonly entries: number;
  /** Distinct types of creatures, ignoring case. */
  readonly creatures: number;
  readonly files: number;
  /** Skipped files and records. */
  readonly skipped: number;
  /** Skipped files and records by reason. Absent, like `regionSpawns`, in results of older releases. */
  readonly skippedBy?: SkipCounts;
  /** Examples of skipped records; absent if there are none. */
  readonly skippedExamples?: SkipExamples;
  /** Irregularities that did not prevent reading. */
  readonly warnings: number;
  /** Spawns within regions. They have no position of their own and are not imported. */
  readonly regionSpawns?: number;
  readonly perFacet: Readonly<Record<string, FacetCounts>>;
}

export interface FacetCounts {
  readonly regions: number;
  readonly rects: number;
  readonly spawners: number;
  readonly entries: number;
  /** The maximum number of creatures alive at the same time. */
  readonly total: number;
}

/** `bridge` reads over the link to the shard, `fs` reads a local directory. */
export const atlasSources = ["bridge", "fs"] as const;
export type AtlasSourceName = (typeof atlasSources)[number];

/** `AtlasRefreshResult` of the API: the result of an import of the atlas. */
export interface AtlasResult extends ImportResult {
  readonly status: ImportStatus<"atlas">;
  readonly source: AtlasSourceName | null;
  readonly path: string | null;
  readonly counts: AtlasCounts | null;
  readonly addedFacets: readonly string[];
  readonly removedFacets: readonly string[];
}

export const blankAtlasResult = {
  reason: null,
  source: null,
  path: null,
  code: null,
  counts: null,
  addedFacets: [],
  removedFacets: [],
} as const satisfies Omit<AtlasResult, "status">;

export const nothingPendingResult: AtlasResult = {
  ...blankAtlasResult,
  status: "none",
  reason: "No import waits for review",
};

/** Returns a fault's code for the API of the atlas, which has no code for an unreadable file. */
export const toAtlasFaultCode = ({ code }: SourceFault): string =>
  code === "UNREADABLE" ? "NOT_FOUND" : code;

/** CATALOGUE of the reasons to skip records and files. */
export type SkipReason =
  /** The record names no facet, or the internal facet of logged-out characters. */
  | "noFacet"
  /** The position of the record is missing or is not in whole numbers. */
  | "noPosition"
  /** A spawner outside the map of its facet. */
  | "outsideMap"
  /** The value where a record is expected is neither a region nor a spawner. */
  | "notARecord"
  | "emptyFile"
  /** A file of another format among the spawn files. */
  | "otherFormat";

/** The number of skipped records by reason. Reasons without records are absent. */
type SkipCounts = Readonly<Partial<Record<SkipReason, number>>>;

export interface SkippedRecord {
  readonly reason: SkipReason;
  /** The file and the record, described so that an operator can find them. */
  readonly text: string;
}

/** The maximum number of examples per reason. */
export const maxSkipExamples = 5;

/** The first skipped records by reason. Reasons without examples are absent. */
type SkipExamples = Readonly<Partial<Record<SkipReason, readonly string[]>>>;
