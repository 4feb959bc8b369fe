import { globSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { readCodeMetrics } from "./house.ts";

const root = path.join(import.meta.dirname, "../..");

describe("the size limits of the project", () => {
  const figures = readCodeMetrics(root);

  it("no file of shared/ is outside a folder, and at most six files of models/ are", () => {
    expect(figures.sharedLoose).toEqual([]);
    expect(figures.modelsLoose.length).toBeLessThanOrEqual(6);
  });

  it("shared/ has at most 800 files, of 100 lines or more on average", () => {
    expect(figures.sharedFiles).toBeLessThanOrEqual(800);
    expect(figures.sharedLines / figures.sharedFiles).toBeGreaterThanOrEqual(100);
  });

  it("each folder of shared/ has more than two files", () => {
    expect(figures.tinyFolders).toEqual([]);
  });

  it("no folder has more than 25 files", () => {
    expect(figures.crowdedFolders).toEqual([]);
  });

  it("no file of shared/ is longer than 300 lines", () => {
    expect(figures.longFiles).toEqual([]);
  });

  it("at most 10 % of the lines of shared/ are comments", () => {
    expect(figures.commentShare).toBeLessThanOrEqual(0.1);
  });

  it("no file other than .sql.ts files has more than three SQL texts", () => {
    expect(figures.sqlHeavyFiles).toEqual([]);
  });

  it("no file outside api/ describes an API answer", () => {
    const described = globSync("{jobs,shared,models}/**/*.ts", { cwd: root }).filter((file) =>
      readFileSync(path.join(root, file), "utf8").includes("@openapi"),
    );
    expect(described).toEqual([]);
  });
});
