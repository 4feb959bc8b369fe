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

/** CATALOGUE of the codes for an unreadable source, by import or status request. */
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

export type ImportResultCode = (typeof importCodes)[keyof typeof importCodes][number];

const common = ["skipped", "unavailable", "unchanged", "imported"] as const;

/** CATALOGUE of the statuses of finished imports. */
export const importStatuses = {
  atlas: [...common, "needsReview", "failed", "rejected", "none"],
  clilocs: [...common, "needsReview", "failed"],
  assets: [...common, "needsReview", "failed"],
  "item-art": [...common, "failed"],
  map: ["fetched", "unchanged", "unavailable", "failed"],
  "map-render": ["queued", "unavailable", "failed"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The statuses of one kind of import, without `skipped`: this server never skips an import. */
export type ImportStatus<Name extends keyof typeof importStatuses> = Exclude<
  (typeof importStatuses)[Name][number],
  "skipped"
>;

/** The fields of every import's result. Each kind adds the fields that the API declares for it. */
export interface ImportResult {
  readonly status: string;
  readonly reason: string | null;
  readonly code: string | null;
}
