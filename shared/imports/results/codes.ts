const clilocStatus = [
  "NO_PATH",
  "NOT_FOUND",
  "NO_FILE",
  "UNREADABLE",
  "COMPRESSED",
  "DISABLED",
  "NO_SOURCE",
  "SHARD_DOWN",
  "PROTOCOL",
  "BUSY",
  "UNAVAILABLE",
] as const;

const pictures = ["DISABLED", "NO_SOURCE", "SHARD_DOWN", "PROTOCOL", "BUSY", "NO_IMAGING"] as const;
const walk = ["INCOMPLETE", "STUCK", "MALFORMED", "TOO_LARGE"] as const;

/** CATALOGUE of the codes that say why a source cannot be read, by what answers them. */
export const importCodes = {
  atlas: [
    "NO_PATH",
    "NOT_FOUND",
    "NO_REGIONS",
    "NO_SPAWNS",
    "DISABLED",
    "SOURCE_CHANGED",
    "INCOMPLETE",
    "MALFORMED",
    "BUSY",
    "SHARD_DOWN",
    "TOO_LARGE",
  ],
  clilocStatus,
  clilocs: [...clilocStatus, "TRUNCATED", "EMPTY", "NOT_BUFFER", "SOURCE_CHANGED", ...walk],
  assetStatus: [...pictures, "SOURCE_CHANGED", "UNAVAILABLE"],
  assets: [...pictures, "SOURCE_CHANGED", ...walk, "UNAVAILABLE"],
  "item-art": [...pictures, "UNSUPPORTED", ...walk, "UNAVAILABLE"],
  map: ["SHARD_DOWN", "UNSUPPORTED", "NO_IMAGE", "MALFORMED", "TOO_LARGE", "BUSY"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ImportCode = (typeof importCodes)[keyof typeof importCodes][number];

const common = ["skipped", "unavailable", "unchanged", "imported"] as const;

/** CATALOGUE of how imports end. */
export const importStatuses = {
  atlas: [...common, "needsReview", "failed", "rejected", "none"],
  clilocs: [...common, "needsReview", "failed"],
  assets: [...common, "needsReview", "failed"],
  "item-art": [...common, "failed"],
  map: ["fetched", "unchanged", "unavailable", "failed"],
  "map-render": ["queued", "unavailable", "failed"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The ends of one kind of import; none of ours is skipped. */
export type ImportStatus<Name extends keyof typeof importStatuses> = Exclude<
  (typeof importStatuses)[Name][number],
  "skipped"
>;

/** What every import's result has in common; each adds the fields the contract prints. */
export interface ImportResult {
  readonly status: string;
  readonly reason: string | null;
  readonly code: string | null;
}
