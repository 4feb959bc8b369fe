import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, describe, expect, it } from "vitest";

import { sweepCompileCache } from "../support/runner/compile-cache.ts";

const folder = mkdtempSync(path.join(tmpdir(), "guildhall-compiled-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const day = 24 * 3_600_000;

describe("Node's compile cache", () => {
  it("keeps the files that were written or read in the last three days, and removes all others", () => {
    const now = Date.now();
    const made = { unread: [5, 4], read: [5, 2], new: [2, 2] } as const;
    mkdirSync(path.join(folder, "v24"));
    for (const [name, [writtenDays, readDays]] of Object.entries(made)) {
      const file = path.join(folder, "v24", name);
      writeFileSync(file, "");
      utimesSync(file, (now - readDays * day) / 1000, (now - writtenDays * day) / 1000);
    }
    sweepCompileCache(folder, now);
    expect(readdirSync(path.join(folder, "v24")).toSorted()).toEqual(["new", "read"]);
  });

  it("is pruned without an error if its folder is missing", () => {
    expect(() => sweepCompileCache(path.join(folder, "nowhere"))).not.toThrow();
  });
});
