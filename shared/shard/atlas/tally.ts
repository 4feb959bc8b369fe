import type { AtlasRegion, AtlasSpawner } from "../sources/atlas-records.ts";
import { CreatureTally } from "./creature-tally.ts";
import type { AtlasCounts, FacetCounts } from "./result.ts";

type Counting = { -readonly [Name in keyof FacetCounts]: number };

/** Counts what is read, facet by facet. */
export class AtlasTally {
  readonly creatures = new CreatureTally();
  readonly #facets = new Map<string, Counting>();
  skipped = 0;
  warnings = 0;

  addRegion({ facet, rects }: AtlasRegion): void {
    const counts = this.#of(facet);
    counts.regions += 1;
    counts.rects += rects.length;
  }

  addSpawner(spawner: AtlasSpawner): void {
    const counts = this.#of(spawner.facet);
    counts.spawners += 1;
    counts.entries += spawner.entries.length;
    counts.total += spawner.count;
    this.creatures.add(spawner);
  }

  get regions(): number {
    return this.#sum("regions");
  }

  get spawners(): number {
    return this.#sum("spawners");
  }

  /** @param files that the atlas was read from */
  counts(files: number): AtlasCounts {
    return {
      facets: this.#facets.size,
      regions: this.regions,
      rects: this.#sum("rects"),
      spawners: this.spawners,
      entries: this.#sum("entries"),
      creatures: this.creatures.size,
      files,
      skipped: this.skipped,
      warnings: this.warnings,
      perFacet: Object.fromEntries(this.#facets),
    };
  }

  #sum(name: keyof Counting): number {
    return [...this.#facets.values()].reduce((total, one) => total + one[name], 0);
  }

  /** A facet counts when it has regions or spawners. */
  #of(facet: string): Counting {
    const known = this.#facets.get(facet);
    const counts = known ?? { regions: 0, rects: 0, spawners: 0, entries: 0, total: 0 };
    if (!known) this.#facets.set(facet, counts);
    return counts;
  }
}
