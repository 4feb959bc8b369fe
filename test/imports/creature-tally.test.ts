import { describe, expect, it } from "vitest";

import { CreatureTally } from "../../shared/shard/atlas/import/tally.ts";
import type { AtlasSpawner } from "../../shared/shard/calls/atlas-records.ts";

const spawnerOf = (facet: string, ...entries: readonly [type: string, max: number][]) =>
  ({
    facet,
    entries: entries.map(([type, max]) => ({ type, typeKey: type.toLowerCase(), max })),
  }) as unknown as AtlasSpawner;

const tallied = (...spawners: readonly AtlasSpawner[]) => {
  const tally = new CreatureTally();
  for (const spawner of spawners) tally.add(spawner);
  return tally.types();
};

describe("a creature of the atlas", () => {
  it("is one whatever the case of its letters, under the spelling that occurs most", () => {
    const camp = spawnerOf("Felucca", ["orc", 1], ["Orc", 2], ["Orc", 3]);
    expect(tallied(camp)).toEqual([{ typeKey: "orc", type: "Orc" }]);
  });

  it("is called by the first of several spellings that occur alike, whichever was read first", () => {
    const camp = spawnerOf("Felucca", ["orc", 1], ["ORC", 1], ["Orc", 1]);
    expect(tallied(camp)).toMatchObject([{ type: "ORC" }]);
  });

  it("is one however many spawners of whichever facets bring it forth", () => {
    const camps = [
      spawnerOf("Trammel", ["Imp", 1], ["Rat", 1], ["Imp", 1]),
      spawnerOf("Felucca", ["Imp", 4]),
    ];
    expect(tallied(...camps)).toEqual([
      { typeKey: "imp", type: "Imp" },
      { typeKey: "rat", type: "Rat" },
    ]);
  });
});
