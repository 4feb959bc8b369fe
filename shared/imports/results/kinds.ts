import type { QueueName } from "../../platform/queue/queues.ts";
import { blankAssetResult, blankItemArtResult } from "./assets.ts";
import { blankAtlasResult } from "./atlas.ts";
import { blankClilocResult } from "./clilocs.ts";
import type { ImportResult } from "./codes.ts";
import { blankMapRender, blankMapResult } from "./maps.ts";

interface ImportKind {
  readonly queue: QueueName;
  /** Every field that the contract prints, without its value. */
  readonly blank: Omit<ImportResult, "status">;
  /** What it answers while no worker is there. */
  readonly noWorker: "UNAVAILABLE" | "BUSY";
}

/** CATALOGUE of imports. */
export const importKinds = {
  // The contract's codes of the atlas hold no UNAVAILABLE.
  atlas: { queue: "imports.atlas", blank: blankAtlasResult, noWorker: "BUSY" },
  clilocs: { queue: "imports.clilocs", blank: blankClilocResult, noWorker: "UNAVAILABLE" },
  assets: { queue: "imports.assets", blank: blankAssetResult, noWorker: "UNAVAILABLE" },
  "item-art": { queue: "imports.item-art", blank: blankItemArtResult, noWorker: "UNAVAILABLE" },
  // Nor do those of maps.
  map: { queue: "imports.map", blank: blankMapResult, noWorker: "BUSY" },
  "map-render": { queue: "imports.map-render", blank: blankMapRender, noWorker: "BUSY" },
} as const satisfies Readonly<Record<string, ImportKind>>;

export type ImportName = keyof typeof importKinds;
export const importNames = Object.keys(importKinds) as ImportName[];

/** The result of an import that could not even begin. */
export const refusedImport = (name: ImportName, code: string, reason: string): ImportResult => ({
  ...importKinds[name].blank,
  status: "unavailable",
  reason,
  code,
});

/** The result of an import that ended by a fault of ours. */
export const failedImport = (name: ImportName, reason: string): ImportResult => ({
  ...importKinds[name].blank,
  status: "failed",
  reason,
});
