import type { ImportResult, ImportStatus } from "./codes.ts";
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

/** CATALOGUE of why records and files are left out of an atlas. */
export type SkipReason =
  /** Names no facet, or the one where characters that are signed out are kept. */
  | "noFacet"
  /** Has no position, or none that is made of whole numbers. */
  | "noPosition"
  /** Is a spawner whose position is outside the map of its facet. */
  | "outsideMap"
  /** Stands where a region or spawner should, and is neither. */
  | "notARecord"
  | "emptyFile"
  /** A file of another format among the spawn files. */
  | "otherFormat";

/** How many were left out for each reason; a reason that nothing met is absent. */
type SkipCounts = Readonly<Partial<Record<SkipReason, number>>>;

/** A record that was left out. */
export interface SkippedRecord {
  readonly reason: SkipReason;
  /** The file and the record, as an operator finds them. */
  readonly text: string;
}

/** Records that are named for one reason. */
export const mostExamples = 5;

/** The first records that were left out for a reason, for those reasons whose records are named. */
type SkipExamples = Readonly<Partial<Record<SkipReason, readonly string[]>>>;
