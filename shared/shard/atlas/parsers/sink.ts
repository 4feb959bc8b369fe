import type { SkipReason } from "../../../imports/results/atlas.ts";
import type { AtlasRegion, AtlasSpawner } from "../../calls/atlas-records.ts";
import type { FacetNames } from "./facets.ts";

/** Receives the records of parsers and counts irregularities. */
export interface AtlasSink {
  readonly facets: FacetNames;
  region(this: void, region: AtlasRegion): void;
  spawner(this: void, spawner: AtlasSpawner): void;
  skip(this: void, reason: SkipReason): void;
  /** Counts a spawn within a region, which has no position of its own and is not read. */
  regionSpawn(this: void): void;
  /** Counts an irregularity that did not prevent reading. */
  warn(this: void): void;
}

/** Reads the text of one file in chunks. @throws {SourceFault} MALFORMED, TOO_LARGE */
export interface TextParser {
  write(this: void, text: string): void;
  end(this: void): void;
}
