import path from "node:path";

import { describe, expect, it } from "vitest";

import { findCircles, readFolderImports } from "./folder-circles.ts";

const folders = (given: Readonly<Record<string, readonly string[]>>) =>
  new Map(Object.entries(given).map(([folder, imports]) => [folder, new Set(imports)]));

describe("folders that import in a circle", () => {
  it("two folders that import each other are a circle", () => {
    expect(findCircles(folders({ a: ["b"], b: ["a"], c: ["a"] }))).toEqual([["a", "b"]]);
  });

  it("a circle over several folders is found, and a fork that joins again is none", () => {
    const planted = { a: ["b", "c"], b: ["d"], c: ["d"], d: [], e: ["f"], f: ["g"], g: ["e"] };
    expect(findCircles(folders(planted))).toEqual([["e", "f", "g"]]);
  });

  it("the folders of the project import in no circle, types included", () => {
    const imports = readFolderImports(path.join(import.meta.dirname, "../.."));
    expect(imports.get("shared/platform/context.ts")).toContain("shared/platform/queue");
    expect(findCircles(imports)).toEqual([]);
  });
});
