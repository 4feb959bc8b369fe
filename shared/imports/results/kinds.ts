import type { QueueName } from "../../platform/queue/queues.ts";
import { blankAssetResult, blankItemArtResult } from "./assets.ts";
import { blankAtlasResult } from "./atlas.ts";
import { blankClilocResult } from "./clilocs.ts";
import type { ImportResult } from "./codes.ts";
import { blankMapRender, blankMapResult } from "./maps.ts";

interface ImportKind {
  readonly queue: QueueName;
  /** A result in which all fields of the API are empty. */
  readonly blank: Omit<ImportResult, "status">;
  /** The code of the result if no worker is running. */
  readonly noWorker: "UNAVAILABLE" | "BUSY";
}

/** CATALOGUE of imports. */
export const importKinds = {
  // The API of the atlas has no code UNAVAILABLE.
  atlas: { queue: "imports.atlas", blank: blankAtlasResult, noWorker: "BUSY" },
  clilocs: { queue: "imports.clilocs", blank: blankClilocResult, noWorker: "UNAVAILABLE" },
  assets: { queue: "imports.assets", blank: blankAssetResult, noWorker: "UNAVAILABLE" },
  "item-art": { queue: "imports.item-art", blank: blankItemArtResult, noWorker: "UNAVAILABLE" },
  // The API of maps has no code UNAVAILABLE.
  map: { queue: "imports.map", blank: blankMapResult, noWorker: "BUSY" },
  "map-render": { queue: "imports.map-render", blank: blankMapRender, noWorker: "BUSY" },
} as const satisfies Readonly<Record<string, ImportKind>>;

export type ImportName = keyof typeof importKinds;
export const importNames = Object.keys(importKinds) as ImportName[];

/** The result of an import that could not start. */
export const createRefusedImportResult = (
  name: ImportName,
  code: string,
  reason: string,
): ImportResult => ({
  ...importKinds[name].blank,
  status: "unavailable",
  reason,
  code,
});

/** The result of an import that failed because of an internal error. */
export const createFailedImportResult = (name: ImportName, reason: string): ImportResult => ({
  ...importKinds[name].blank,
  status: "failed",
  reason,
});
