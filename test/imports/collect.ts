import { FacetNames } from "../../shared/shard/atlas/facet-names.ts";
import type { AtlasSink } from "../../shared/shard/atlas/sink.ts";
import type { AtlasRegion, AtlasSpawner } from "../../shared/shard/sources/atlas-records.ts";

/** What parsers handed on. */
export interface Collected {
  readonly sink: AtlasSink;
  readonly regions: AtlasRegion[];
  readonly spawners: AtlasSpawner[];
  readonly odd: { skipped: number; warnings: number };
}

export function collect(): Collected {
  const regions: AtlasRegion[] = [];
  const spawners: AtlasSpawner[] = [];
  const odd = { skipped: 0, warnings: 0 };
  const sink: AtlasSink = {
    facets: new FacetNames(),
    region: (region) => void regions.push(region),
    spawner: (spawner) => void spawners.push(spawner),
    skip: () => void (odd.skipped += 1),
    warn: () => void (odd.warnings += 1),
  };
  return { sink, regions, spawners, odd };
}
