import type { AtlasCreature } from "../../../../models/atlas/atlas-creature.ts";
import type { AtlasSpawner } from "../../calls/atlas-records.ts";

/** A creature by its type in lower case, and as it is spelled most; of several the first by its letters. */
export type CreatureType = Readonly<Pick<AtlasCreature, "typeKey" | "type">>;

/** Gathers the types of creatures as they are read: to join all entries later takes longer. */
export class CreatureTally {
  /** How often each spelling of a type occurs. */
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
