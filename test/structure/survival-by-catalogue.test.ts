import { globSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

const root = path.join(import.meta.dirname, "../..");

/** Folders with the code that executes runs and sends messages. */
const machinery = [
  "shared/events/engine",
  "shared/events/machine",
  "shared/push/dispatch",
  "shared/push/relay",
  "jobs/events",
  "jobs/push",
];

/** Matches code that mentions survival servers. The names of their types and functions begin with one of these words. */
const nameOfThem = /survival|steam/i;

const filesIn = (folder: string): string[] => globSync(`${folder}/**/*.ts`, { cwd: root });
const filesThatName = (folder: string): string[] =>
  filesIn(folder).filter((file) => nameOfThem.test(readFileSync(path.join(root, file), "utf8")));

describe("the actions, triggers and push streams of survival servers", () => {
  it.each(machinery)("are named in no file of the folder %s", (folder) => {
    expect(filesIn(folder)).not.toEqual([]);
    expect(filesThatName(folder)).toEqual([]);
  });

  it("are defined in the catalogs", () => {
    expect(filesThatName("shared/events/actions")).toContain("shared/events/actions/survival.ts");
    expect(filesThatName("shared/facts")).toContain("shared/facts/survival-triggers.ts");
    expect(filesThatName("shared/facts")).toContain("shared/facts/streams.ts");
    expect(filesThatName("shared/push")).toEqual([]);
  });
});
