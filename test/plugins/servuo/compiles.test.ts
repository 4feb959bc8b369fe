import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { projectFolder } from "../../../jobs/commands/launch/script.ts";

/**
 * The game server compiles the plugin together with its own scripts, with the C# compiler of its
 * host. Here, declarations replace the game: they contain only the names and signatures that the
 * plugin uses.
 */
describe("the ServUO plugin", () => {
  it("compiles as C# 5 without a warning", () => {
    requireCompiler();
    const folder = mkdtempSync(path.join(tmpdir(), "guildhall-servuo-"));
    const sources = ["plugins/servuo/*.cs", "test/plugins/servuo/declarations/*.cs"].flatMap(
      (pattern) => globSync(pattern, { cwd: projectFolder }),
    );
    const { status, stdout, stderr } = spawnSync(
      "mcs",
      [
        "-target:library",
        "-langversion:5",
        "-warn:4",
        "-warnaserror",
        // Ignore the warning about fields that are never assigned: the declarations assign none.
        "-nowarn:649",
        "-r:System.Xml.dll",
        `-out:${path.join(folder, "plugin.dll")}`,
        ...sources,
      ],
      { cwd: projectFolder, encoding: "utf8" },
    );
    rmSync(folder, { recursive: true });
    expect(sources).toContain(path.join("plugins", "servuo", "Guildhall.cs"));
    expect({ status, output: (stdout + stderr).trim() }).toEqual({ status: 0, output: "" });
  });
});

/** Requires the Mono C# compiler. @throws an error that names the package to install */
function requireCompiler(): void {
  if (spawnSync("mcs", ["--version"]).status === 0) return;
  throw new Error("This test needs the C# compiler `mcs`. Install the package `mono-mcs`.");
}
