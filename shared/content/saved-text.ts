import type { RemovedPart } from "./markdown/removed-parts.ts";

/** A text after it was saved, with the parts that are not shown as they were written. */
export interface SavedText<Row> {
  readonly row: Row;
  readonly removed: readonly RemovedPart[];
}
