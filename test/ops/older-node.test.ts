import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { projectFolder } from "../../jobs/commands/launch/script.ts";
import { processKinds } from "../../shared/platform/job-records/processes.ts";

const { scripts } = JSON.parse(readFileSync(path.join(projectFolder, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

describe("an operator's command", () => {
  it.each(["start", ...processKinds, "migrate"])(
    "npm run %s prints what to do if Node is too old, and ends without effect",
    (name) => {
      const [, ...given] = scripts[name]?.split(" ") ?? [];
      const folder = mkdtempSync(path.join(tmpdir(), "guildhall-node-"));
      const older = path.join(folder, "older.mjs");
      writeFileSync(
        older,
        `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "23.11.1" } });
         Object.defineProperty(process, "version", { value: "v23.11.1" });`,
      );
      const ways = [
        { node: process.execPath, args: ["--import", older, ...given], version: "v23.11.1" },
        ...olderNodes().map((old) => ({ ...old, args: given })),
      ];
      for (const { node, args, version } of ways) {
        const { status, stdout, stderr } = spawnSync(node, args, {
          cwd: projectFolder,
          encoding: "utf8",
          // The environment is incomplete. Without the check of the version, the start would fail
          // with another error.
          env: { PATH: process.env["PATH"], NODE_ENV: "production", DATA_FOLDER: folder },
          timeout: 60_000,
        });
        expect({ status, stdout, stderr }).toEqual({
          status: 78,
          stdout: "",
          stderr: expect.stringMatching(
            `^Guildhall needs Node 24 or newer; this is ${version} \\(.*\\)\\.\nInstall it \\(\\.nvmrc`,
          ),
        });
      }
      rmSync(folder, { recursive: true });
    },
  );
});

/** Returns the installed versions of Node.js that are too old but know `--import`. */
function olderNodes(): { node: string; version: string }[] {
  const places = [...new Set((process.env["PATH"] ?? "").split(path.delimiter))];
  return places.flatMap((place) => {
    const node = path.join(place, "node");
    if (!existsSync(node)) return [];
    const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
    const version = stdout.trim();
    const major = Number(/^v(\d+)\./.exec(version)?.[1] ?? 0);
    return major >= 20 && major < 24 ? [{ node, version }] : [];
  });
}
