import type { AtlasCreature } from "../../../../models/atlas/atlas-creature.ts";
import {
  type AtlasCounts,
  type FacetCounts,
  maxSkipExamples,
  type SkippedRecord,
  type SkipReason,
} from "../../../imports/results/atlas.ts";
import type { AtlasRegion, AtlasSpawner } from "../../calls/atlas-records.ts";
import type { AtlasBatch } from "./batch.ts";

type MutableFacetCounts = { -readonly [Name in keyof FacetCounts]: number };

export class AtlasTally {
  readonly creatures = new CreatureTally();
  readonly #facets = new Map<string, MutableFacetCounts>();
  readonly #skipped = new Map<SkipReason, number>();
  readonly #examples = new Map<SkipReason, string[]>();
  #warnings = 0;
  #regionSpawns = 0;

  add({ regions, spawners, skipped, examples, warnings, regionSpawns }: AtlasBatch): void {
    for (const region of regions) this.#addRegion(region);
    for (const spawner of spawners) this.#addSpawner(spawner);
    for (const [reason, times] of skipped) {
      this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + times);
    }
    for (const example of examples) this.#addExample(example);
    this.#warnings += warnings;
    this.#regionSpawns += regionSpawns;
  }

  get records(): number {
    return this.#sum("regions") + this.#sum("spawners");
  }

  /** @param files number of files that the atlas was read from */
  counts(files: number): AtlasCounts {
    return {
      facets: this.#facets.size,
      regions: this.#sum("regions"),
      rects: this.#sum("rects"),
      spawners: this.#sum("spawners"),
      entries: this.#sum("entries"),
      creatures: this.creatures.size,
      files,
      skipped: [...this.#skipped.values()].reduce((sum, times) => sum + times, 0),
      skippedBy: Object.fromEntries(this.#skipped),
      ...(this.#examples.size > 0 && { skippedExamples: Object.fromEntries(this.#examples) }),
      warnings: this.#warnings,
      regionSpawns: this.#regionSpawns,
      perFacet: Object.fromEntries(this.#facets),
    };
  }

  #addExample({ reason, text }: SkippedRecord): void {
    const known = this.#examples.get(reason) ?? [];
    if (known.length < maxSkipExamples) this.#examples.set(reason, [...known, text]);
  }

  #addRegion({ facet, rects }: AtlasRegion): void {
    const counts = this.#of(facet);
    counts.regions += 1;
    counts.rects += rects.length;
  }

  #addSpawner(spawner: AtlasSpawner): void {
    const counts = this.#of(spawner.facet);
    counts.spawners += 1;
    counts.entries += spawner.entries.length;
    counts.total += spawner.count;
    this.creatures.add(spawner);
  }

  #sum(name: keyof MutableFacetCounts): number {
    return [...this.#facets.values()].reduce((total, one) => total + one[name], 0);
  }

  /** Returns the counts of a facet, which all start at zero. */
  #of(facet: string): MutableFacetCounts {
    const known = this.#facets.get(facet);
    const counts = known ?? { regions: 0, rects: 0, spawners: 0, entries: 0, total: 0 };
    if (!known) this.#facets.set(facet, counts);
    return counts;
  }
}

/**
 * A creature's type in lower case, and the most frequent spelling of the type; of equally frequent spellings, the
 * first.
 */
export type CreatureType = Readonly<Pick<AtlasCreature, "typeKey" | "type">>;

/** Collects creature types while reading, which is faster than joining all entries later. */
export class CreatureTally {
  readonly #spellings = new Map<string, Map<string, number>>();

  get size(): number {
    return this.#spellings.size;
  }

  add({ entries }: AtlasSpawner): void {
    for (const { typeKey, type } of entries) {
      const spellings = this.#spellings.get(typeKey) ?? new Map<string, number>();
      spellings.set(type, (spellings.get(type) ?? 0) + 1);
      this.#spellings.set(typeKey, spellings);
    }
  }

  types(): CreatureType[] {
    return [...this.#spellings].map(([typeKey, spellings]) => ({
      typeKey,
      type: mostFrequent(spellings),
    }));
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
