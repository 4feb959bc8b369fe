import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { longLane, overPlugins, sidecarOnly, wholeInLongLane } from "../lanes.ts";

const tests = path.join(import.meta.dirname, "..");
const namesIn = (lists: Readonly<Record<string, readonly string[]>>): string[] =>
  Object.values(lists).flat();
const fileOf = (name: string): string => path.join(tests, `${name}.test.ts`);

const allNames = globSync("**/*.test.ts", { cwd: tests }).map((file) =>
  file.slice(0, -".test.ts".length),
);
const says = (name: string, pattern: RegExp): boolean =>
  pattern.test(readFileSync(fileOf(name), "utf8"));

describe("the list of test lanes", () => {
  it("names test files that exist", () => {
    const linked = [...overPlugins, ...namesIn(sidecarOnly)];
    const names = [...namesIn(longLane), ...namesIn(wholeInLongLane), ...linked];
    expect(names.filter((name) => !existsSync(fileOf(name)))).toEqual([]);
  });

  it("names exactly the test files that run only partly in the main lane", () => {
    const splits =
      /import \{[^}]*\b(describeInLongLane|itInLongLane|propertyRunsOf|RaceServers|repeatRace|sampleCases|startAdminRaces)\b[^}]*\} from/;
    const alone = new Set(namesIn(longLane));
    const split = allNames.filter((name) => !alone.has(name) && says(name, splits));
    const listed = new Set(namesIn(wholeInLongLane));
    expect(split.toSorted()).toEqual([...listed].toSorted());
  });

  it("lists every test file with a simulated game once, either for both kinds of link or for sidecars only", () => {
    const links =
      /import \{[^}]*\b(linkSimulator|linkSurvivalServer|startLinkedShard|startSurvivalGame)\b[^}]*\} from/;
    const linked = allNames.filter((name) => says(name, links));
    const listed = [...overPlugins, ...namesIn(sidecarOnly)];
    expect(linked.toSorted()).toEqual(listed.toSorted());
  });
});
