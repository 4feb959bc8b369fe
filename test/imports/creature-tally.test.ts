import { describe, expect, it } from "@jest/globals";

import { CreatureTally } from "../../shared/shard/atlas/creature-tally.ts";
import type { AtlasSpawner } from "../../shared/shard/sources/atlas-records.ts";

const spawnerOf = (facet: string, ...entries: readonly [type: string, max: number][]) =>
  ({
    facet,
    entries: entries.map(([type, max]) => ({ type, typeKey: type.toLowerCase(), max })),
  }) as unknown as AtlasSpawner;

const tallied = (...spawners: readonly AtlasSpawner[]) => {
  const tally = new CreatureTally();
  for (const spawner of spawners) tally.add(spawner);
  return tally.counts();
};

describe("a creature of the atlas", () => {
  it("is one whatever the case of its letters, under the spelling that occurs most", () => {
    const camp = spawnerOf("Felucca", ["orc", 1], ["Orc", 2], ["Orc", 3]);
    expect(tallied(camp)).toEqual([
      { typeKey: "orc", type: "Orc", spawners: 1, total: 6, facets: ["Felucca"] },
    ]);
  });

  it("is called by the first of several spellings that occur alike, whichever was read first", () => {
    const camp = spawnerOf("Felucca", ["orc", 1], ["ORC", 1], ["Orc", 1]);
    expect(tallied(camp)).toMatchObject([{ type: "ORC" }]);
  });

  it("counts a spawner once, and its facet by name", () => {
    const camps = [
      spawnerOf("Trammel", ["Imp", 1], ["Rat", 1], ["Imp", 1]),
      spawnerOf("Felucca", ["Imp", 4]),
      spawnerOf("Trammel", ["Imp", 1]),
    ];
    expect(tallied(...camps)).toEqual([
      { typeKey: "imp", type: "Imp", spawners: 3, total: 7, facets: ["Felucca", "Trammel"] },
      { typeKey: "rat", type: "Rat", spawners: 1, total: 1, facets: ["Trammel"] },
    ]);
  });

  it("loses nothing of its total to an entry that says less than none", () => {
    expect(tallied(spawnerOf("Malas", ["Imp", -5], ["Imp", 2]))).toMatchObject([{ total: 2 }]);
  });
});
