import type { ImportResult, ImportStatus } from "./codes.ts";

/** The result of asking the shard which body (graphic) each creature of the atlas has. */
export interface CreatureBodyLookupResult {
  readonly asked: number;
  readonly answered: number;
  /** Types whose body has a picture now. */
  readonly resolved: number;
  readonly tally: Readonly<Record<"ok" | "unknown" | "notCreature" | "failed", number>>;
  /** The reason why some types got no answer, if any. */
  readonly reason: string | null;
}

/** The result of assigning pictures to creatures. */
export interface ArtAssignmentResult {
  /** Creatures whose derived picture changed. */
  readonly applied: number;
  /** Creatures with a picture derived from their body. */
  readonly derived: number;
  /** Creatures with a picture that an operator chose. Imports never change it. */
  readonly operator: number;
  /** A message with the operators' choices whose picture is not stored; null if there are none. */
  readonly error: string | null;
}

/** `AssetImportResult` of the API. A field that the API limits to some flags or statuses is otherwise absent. */
export interface AssetResult extends ImportResult {
  readonly status: ImportStatus<"assets">;
  readonly catalog: string | null;
  readonly extractorVersion: number | null;
  /** The number of keys in the catalog. */
  readonly assets: number | null;
  readonly fetched: number | null;
  /** Keys whose picture changed. */
  readonly written: number | null;
  readonly absent: number | null;
  readonly unsupported: number | null;
  readonly removed?: number;
  readonly scanned: number | null;
  readonly pages: number | null;
  readonly playerBodies: readonly number[];
  readonly vanished?: readonly string[];
  readonly vanishedCount?: number;
  readonly bodies: CreatureBodyLookupResult;
  readonly art: ArtAssignmentResult;
}

export const blankBodyLookupResult: CreatureBodyLookupResult = {
  asked: 0,
  answered: 0,
  resolved: 0,
  tally: { ok: 0, unknown: 0, notCreature: 0, failed: 0 },
  reason: null,
};

export const blankAssetResult = {
  reason: null,
  code: null,
  catalog: null,
  extractorVersion: null,
  assets: null,
  fetched: null,
  written: null,
  absent: null,
  unsupported: null,
  scanned: null,
  pages: null,
  playerBodies: [],
  bodies: blankBodyLookupResult,
  art: { applied: 0, derived: 0, operator: 0, error: null },
} as const satisfies Omit<AssetResult, "status">;

/** `ItemArtWarmResult` of the API: the result of fetching the pictures of items on the market. */
export interface ItemArtResult extends ImportResult {
  readonly status: ImportStatus<"item-art">;
  readonly catalog: string | null;
  /** Distinct pictures that the market's listings show. */
  readonly wanted: number | null;
  /** Wanted pictures that were stored before the import. */
  readonly held: number | null;
  readonly asked: number | null;
  readonly fetched: number | null;
  /** Keys whose picture changed. */
  readonly written: number | null;
  readonly absent: number | null;
  readonly unsupported: number | null;
  /** Wanted pictures still to be requested. */
  readonly remaining: number | null;
}

export const blankItemArtResult = {
  reason: null,
  code: null,
  catalog: null,
  wanted: null,
  held: null,
  asked: null,
  fetched: null,
  written: null,
  absent: null,
  unsupported: null,
  remaining: null,
} as const satisfies Omit<ItemArtResult, "status">;
