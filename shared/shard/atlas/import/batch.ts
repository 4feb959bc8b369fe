import {
  maxSkipExamples,
  type SkippedRecord,
  type SkipReason,
} from "../../../imports/results/atlas.ts";
import type { AtlasRegion, AtlasSpawner } from "../../calls/atlas-records.ts";
import { FacetNames, isOnMap } from "../parsers/facets.ts";
import type { AtlasSink } from "../parsers/sink.ts";

/** Records from one section of a source, with the problems found in that section. */
export interface AtlasBatch {
  readonly regions: readonly AtlasRegion[];
  readonly spawners: readonly AtlasSpawner[];
  readonly skipped: ReadonlyMap<SkipReason, number>;
  readonly examples: readonly SkippedRecord[];
  /** Number of irregularities that did not prevent reading. */
  readonly warnings: number;
  /** Spawns within regions; they have no position of their own and are not read. */
  readonly regionSpawns: number;
}

/** Stores a batch. Reading of the source continues only after the returned promise has resolved. */
export type BatchConsumer = (batch: AtlasBatch) => Promise<void>;

/** Collects the records of parsers until they are stored as a batch. */
export class BatchCollector {
  #regions: AtlasRegion[] = [];
  #spawners: AtlasSpawner[] = [];
  #skipped = new Map<SkipReason, number>();
  #examples: SkippedRecord[] = [];
  #warnings = 0;
  #regionSpawns = 0;

  readonly sink: AtlasSink = {
    facets: new FacetNames(),
    region: (region) => {
      this.#regions.push(region);
    },
    spawner: (spawner) => {
      if (isOnMap(spawner.facet, spawner)) this.#spawners.push(spawner);
      else this.#skipOutside(spawner);
    },
    skip: (reason) => this.#skip(reason),
    regionSpawn: () => {
      this.#regionSpawns += 1;
    },
    warn: () => {
      this.#warnings += 1;
    },
  };

  takeBatch(): AtlasBatch {
    const batch = {
      regions: this.#regions,
      spawners: this.#spawners,
      skipped: this.#skipped,
      examples: this.#examples,
      warnings: this.#warnings,
      regionSpawns: this.#regionSpawns,
    };
    [this.#regions, this.#spawners, this.#skipped] = [[], [], new Map<SkipReason, number>()];
    this.#examples = [];
    this.#warnings = 0;
    this.#regionSpawns = 0;
    return batch;
  }

  #skipOutside({ source, facet, x, y }: AtlasSpawner): void {
    const reason = "outsideMap";
    this.#skip(reason);
    if (this.#examples.length >= maxSkipExamples) return;
    this.#examples.push({ reason, text: `${source}: ${facet} ${x}, ${y}` });
  }

  #skip(reason: SkipReason): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
  }
}
