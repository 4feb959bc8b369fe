import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { longLane, wholeInLongLane } from "../lanes.ts";

const tests = path.join(import.meta.dirname, "..");
const namesIn = (lists: Readonly<Record<string, readonly string[]>>): string[] =>
  Object.values(lists).flat();
const fileOf = (name: string): string => path.join(tests, `${name}.test.ts`);

describe("the list of lanes", () => {
  it("names test files that exist", () => {
    const names = [...namesIn(longLane), ...namesIn(wholeInLongLane)];
    expect(names.filter((name) => !existsSync(fileOf(name)))).toEqual([]);
  });

  it("names every test file of which the main lane runs a part, and no other", () => {
    const splits =
      /import \{[^}]*\b(describeInLongLane|inRounds|RaceTrack|runsOf|sample|startAdminRaces)\b[^}]*\} from/;
    const alone = new Set(namesIn(longLane));
    const split = globSync("**/*.test.ts", { cwd: tests })
      .map((file) => file.slice(0, -".test.ts".length))
      .filter((name) => !alone.has(name) && splitsLanes(name));
    const listed = new Set(namesIn(wholeInLongLane));
    expect(split.toSorted()).toEqual([...listed].toSorted());

    function splitsLanes(name: string): boolean {
      return splits.test(readFileSync(fileOf(name), "utf8"));
    }
  });
});
