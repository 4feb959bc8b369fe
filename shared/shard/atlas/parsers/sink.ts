import type { SkipReason } from "../../../imports/results/atlas.ts";
import type { AtlasRegion, AtlasSpawner } from "../../calls/atlas-records.ts";
import type { FacetNames } from "./facets.ts";

/** What parsers hand on, record by record, and count of what is odd. */
export interface AtlasSink {
  readonly facets: FacetNames;
  region(this: void, region: AtlasRegion): void;
  spawner(this: void, spawner: AtlasSpawner): void;
  /** A record was left out. */
  skip(this: void, reason: SkipReason): void;
  /** A spawn stands within a region and has no position of its own: it is counted, not read. */
  regionSpawn(this: void): void;
  /** Something odd was read all the same. */
  warn(this: void): void;
}

/** Reads one file's text, piece by piece. @throws {SourceFault} MALFORMED, TOO_LARGE */
export interface TextParser {
  write(this: void, text: string): void;
  end(this: void): void;
}
