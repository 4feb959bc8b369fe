import path from "node:path";

import { describe, expect, it } from "vitest";

import { compilePlugin, newFolder, removeFolder } from "./rust-game.ts";

/**
 * A game server compiles the plugin against the game and a mod loader. The tests compile it against
 * declarations, which contain only the names that the plugin uses.
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
