import path from "node:path";

import { describe, expect, it } from "vitest";

import { compilePlugin, newFolder, removeFolder } from "./rust-game.ts";

/**
 * The game server compiles the plugin with the compiler of its mod loader. Here, declarations
 * replace the game and the mod loader: they contain only the names that the plugin uses.
 */
describe("the Rust plugin", () => {
  it.each([
    ["Oxide", []],
    ["Carbon", ["CARBON"]],
  ])("compiles for %s without a warning", (_loader, symbols) => {
    const folder = newFolder();
    const compiled = compilePlugin(path.join(folder, "plugin.dll"), { symbols });
    removeFolder(folder);
    expect(compiled).toEqual({ status: 0, output: "" });
  });
});
