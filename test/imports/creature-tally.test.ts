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
  it("is counted once for all spellings in upper and lower case, under the most frequent spelling", () => {
    const camp = spawnerOf("Felucca", ["orc", 1], ["Orc", 2], ["Orc", 3]);
    expect(tallied(camp)).toEqual([{ typeKey: "orc", type: "Orc" }]);
  });

  it("is listed under the first in sort order of equally frequent spellings", () => {
    const camp = spawnerOf("Felucca", ["orc", 1], ["ORC", 1], ["Orc", 1]);
    expect(tallied(camp)).toMatchObject([{ type: "ORC" }]);
  });

  it("is listed once for all its spawners of all facets", () => {
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
