import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import {
  type LiveState,
  liveStates,
  findLiveStates,
} from "../../shared/shard/kinds/live-states.ts";

/** Reads the table of states in the documentation. The last column is not read. */
function readTable(): [string, boolean[]][] {
  const file = path.join(import.meta.dirname, "../../docs/develop/live-state.md");
  const [, rest = ""] = readFileSync(file, "utf8").split("\n## The states\n");
  const [section = ""] = rest.split(/\n##/);
  const lines = section.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).flatMap((line) => {
    const [names = "", , ...cells] = line.split("|").slice(1, -1);
    const flags = cells.slice(0, 3).map((cell) => cell.trim() === "yes");
    return names.split(",").map((name): [string, boolean[]] => [name.trim(), flags]);
  });
}

describe("live states", () => {
  it("have the properties that the table in the documentation shows", () => {
    const catalogue = Object.entries(liveStates).map(([name, state]): [string, boolean[]] => [
      name,
      [state.diesWithBoot, state.replacedBySnapshot, state.doubtfulAfterGap],
    ]);
    expect(new Map(readTable())).toEqual(new Map(catalogue));
  });

  it("are replaced by snapshots if and only if a snapshot ends the entries that it does not contain", () => {
    const bySnapshot = ({ lostEnd }: LiveState): boolean => lostEnd === "snapshot";
    expect(findLiveStates(bySnapshot)).toEqual(findLiveStates((state) => state.replacedBySnapshot));
  });
});
