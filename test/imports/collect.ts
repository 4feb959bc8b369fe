import { FacetNames } from "../../shared/shard/atlas/parsers/facets.ts";
import type { AtlasSink } from "../../shared/shard/atlas/parsers/sink.ts";
import type { AtlasRegion, AtlasSpawner } from "../../shared/shard/calls/atlas-records.ts";

/** The regions and spawners that parsers have found. */
export interface AtlasCollector {
  readonly sink: AtlasSink;
  readonly regions: AtlasRegion[];
  readonly spawners: AtlasSpawner[];
  readonly odd: { skipped: number; warnings: number };
  readonly skippedBy: Record<string, number>;
  readonly counted: { regionSpawns: number };
}

export function createAtlasCollector(): AtlasCollector {
  const regions: AtlasRegion[] = [];
  const spawners: AtlasSpawner[] = [];
  const odd = { skipped: 0, warnings: 0 };
  const skippedBy: Record<string, number> = {};
  const counted = { regionSpawns: 0 };
  const sink: AtlasSink = {
    facets: new FacetNames(),
    region: (region) => void regions.push(region),
    spawner: (spawner) => void spawners.push(spawner),
    skip: (reason) => {
      odd.skipped += 1;
      skippedBy[reason] = (skippedBy[reason] ?? 0) + 1;
    },
    regionSpawn: () => void (counted.regionSpawns += 1),
    warn: () => void (odd.warnings += 1),
  };
  return { sink, regions, spawners, odd, skippedBy, counted };
}
