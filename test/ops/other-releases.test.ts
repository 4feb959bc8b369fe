import { execFile } from "node:child_process";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { describe, expect, it } from "vitest";

import {
  makeImpatientRelease,
  makeNextRelease,
  makeReleaseWithMigration,
} from "../support/service/other-releases.ts";

const run = promisify(execFile);

/** Imports modules of a release in a process of its own. @throws if one of them does not load */
async function loadModules(folder: string, files: readonly string[]): Promise<string> {
  const imports = files.map((file) => `import(${JSON.stringify(pathToFileURL(file).href)})`);
  const script = `await Promise.all([${imports.join(", ")}]); console.log("loaded")`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], {
    cwd: folder,
  });
  return stdout.trim();
}

describe("a second release that tests build from the current sources", () => {
  it.each([
    { name: "next", make: makeNextRelease },
    { name: "with one more migration", make: () => makeReleaseWithMigration(1) },
    { name: "with short answers", make: makeImpatientRelease },
  ])("the release $name loads its edited modules", async ({ make }) => {
    const release = make();
    try {
      const files = release.edited.filter((file) => file.endsWith(".ts"));
      expect(await loadModules(release.folder, files)).toBe("loaded");
    } finally {
      release.remove();
    }
  });
});
