import type { AtlasSpawner } from "../sources/atlas-records.ts";

/** A creature of the atlas, summed up over all spawners. */
export interface CreatureCounts {
  readonly typeKey: string;
  /** The spelling that occurs most; of several the first by its letters. */
  readonly type: string;
  readonly spawners: number;
  readonly total: number;
  readonly facets: readonly string[];
}

interface Counting {
  readonly spellings: Map<string, number>;
  readonly facets: Set<string>;
  spawners: number;
  total: number;
  /** The spawner that was counted last. */
  last: AtlasSpawner | undefined;
}

/** Sums creatures up as they are read: to join all entries with their spawners later takes longer. */
export class CreatureTally {
  readonly #byKey = new Map<string, Counting>();

  get size(): number {
    return this.#byKey.size;
  }

  add(spawner: AtlasSpawner): void {
    for (const { typeKey, type, max } of spawner.entries) {
      const counting = this.#of(typeKey);
      counting.spellings.set(type, (counting.spellings.get(type) ?? 0) + 1);
      counting.total += Math.max(0, max);
      if (counting.last === spawner) continue;
      counting.last = spawner;
      counting.spawners += 1;
      counting.facets.add(spawner.facet);
    }
  }

  counts(): CreatureCounts[] {
    return [...this.#byKey].map(([typeKey, { spellings, facets, spawners, total }]) => ({
      typeKey,
      type: mostFrequent(spellings),
      spawners,
      total,
      facets: [...facets].toSorted(),
    }));
  }

  #of(typeKey: string): Counting {
    const known = this.#byKey.get(typeKey);
    if (known) return known;
    const counting: Counting = {
      spellings: new Map(),
      facets: new Set(),
      spawners: 0,
      total: 0,
      last: undefined,
    };
    this.#byKey.set(typeKey, counting);
    return counting;
  }
}

function mostFrequent(spellings: ReadonlyMap<string, number>): string {
  let found = "";
  let most = 0;
  for (const [spelling, count] of spellings) {
    if (count < most || (count === most && spelling > found)) continue;
    found = spelling;
    most = count;
  }
  return found;
}
