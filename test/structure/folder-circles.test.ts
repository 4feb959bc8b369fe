import path from "node:path";

import { describe, expect, it } from "vitest";

import { findCircles, readFolderImports } from "./folder-circles.ts";

const folders = (given: Readonly<Record<string, readonly string[]>>) =>
  new Map(Object.entries(given).map(([folder, imports]) => [folder, new Set(imports)]));

describe("the search for import circles", () => {
  it("finds two folders that import each other", () => {
    expect(findCircles(folders({ a: ["b"], b: ["a"], c: ["a"] }))).toEqual([["a", "b"]]);
  });

  it("finds a circle of several folders, and finds none if imports branch and join again", () => {
    const planted = { a: ["b", "c"], b: ["d"], c: ["d"], d: [], e: ["f"], f: ["g"], g: ["e"] };
    expect(findCircles(folders(planted))).toEqual([["e", "f", "g"]]);
  });

  it("finds no circle in the project, types included", () => {
    const imports = readFolderImports(path.join(import.meta.dirname, "../.."));
    expect(imports.get("shared/platform/context.ts")).toContain("shared/platform/queue");
    expect(findCircles(imports)).toEqual([]);
  });
});
