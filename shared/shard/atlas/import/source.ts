import type { FileStamp } from "../../../imports/files/read-file.ts";
import type { AtlasSourceName } from "../../../imports/results/atlas.ts";
import type { ImportRun } from "../../../imports/runs/run-import.ts";
import type { TreeView } from "../tree/tree.ts";
import type { TakeBatch } from "./batch.ts";

/** Where the atlas is read from. */
export interface AtlasPlace {
  readonly source: AtlasSourceName;
  readonly path: string | null;
}

/** A source that can be read, as it stands. */
export interface AtlasSource extends AtlasPlace {
  /** A hash of the content of all files. */
  readonly fingerprint: string;
  readonly files: readonly FileStamp[];
  /** What of a local tree is read. */
  readonly tree: TreeView | null;
  /**
   * Hands all of it on, batch by batch.
   * @throws {SourceFault} when it is not the same any more, or not sound
   */
  read(this: void, run: Pick<ImportRun, "report" | "signal">, take: TakeBatch): Promise<void>;
}
