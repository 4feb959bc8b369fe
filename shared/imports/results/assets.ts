import type { ImportResult, ImportStatus } from "./codes.ts";

/** What became of asking the shard which bodies the atlas's creatures have. */
export interface BodyFindings {
  readonly asked: number;
  readonly answered: number;
  /** Types whose body has its picture here now. */
  readonly resolved: number;
  readonly tally: Readonly<Record<"ok" | "unknown" | "notCreature" | "failed", number>>;
  /** Why not all were answered. */
  readonly reason: string | null;
}

/** Which creatures show which picture. */
export interface ArtFindings {
  /** Creatures that show another derived picture than before. */
  readonly applied: number;
  /** Creatures with a picture that follows from their body. */
  readonly derived: number;
  /** Creatures with a picture that an operator chose; no import changes it. */
  readonly operator: number;
  /** Which choices of operators have no picture. */
  readonly error: string | null;
}

/** AssetImportResult; what is printed "only with" or "on" something is absent elsewhere. */
export interface AssetResult extends ImportResult {
  readonly status: ImportStatus<"assets">;
  readonly catalog: string | null;
  readonly extractorVersion: number | null;
  /** Keys of the catalogue. */
  readonly assets: number | null;
  /** Pictures that came. */
  readonly fetched: number | null;
  /** Keys that show another picture than before. */
  readonly written: number | null;
  readonly absent: number | null;
  readonly unsupported: number | null;
  readonly removed?: number;
  readonly scanned: number | null;
  readonly pages: number | null;
  readonly playerBodies: readonly number[];
  readonly vanished?: readonly string[];
  readonly vanishedCount?: number;
  readonly bodies: BodyFindings;
  readonly art: ArtFindings;
}

export const noBodies: BodyFindings = {
  asked: 0,
  answered: 0,
  resolved: 0,
  tally: { ok: 0, unknown: 0, notCreature: 0, failed: 0 },
  reason: null,
};

/** Every field of the result without its value. */
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
  bodies: noBodies,
  art: { applied: 0, derived: 0, operator: 0, error: null },
} as const satisfies Omit<AssetResult, "status">;

/** ItemArtWarmResult. */
export interface ItemArtResult extends ImportResult {
  readonly status: ImportStatus<"item-art">;
  readonly catalog: string | null;
  /** Different pictures that the market's listings show. */
  readonly wanted: number | null;
  /** Those that were here before. */
  readonly held: number | null;
  readonly asked: number | null;
  readonly fetched: number | null;
  /** Keys that show another picture than before. */
  readonly written: number | null;
  readonly absent: number | null;
  readonly unsupported: number | null;
  /** Those still to be asked for. */
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
