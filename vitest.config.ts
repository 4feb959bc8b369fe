import { defineConfig } from "vitest/config";

import { browserFiles, longLane, overPlugins, wholeInLongLane } from "./test/lanes.ts";

const all = "test/**/*.test.ts";
const pathOf = (name: string): string => `test/${name}.test.ts`;
const longFiles = Object.values(longLane).flat().map(pathOf);
const wholeFiles = Object.values(wholeInLongLane).flat().map(pathOf);

/** A lane of tests: `vitest run --project main`. */
const lane = (name: string, include: string[], exclude: string[] = [], env: object = {}) => ({
  extends: true as const,
  test: {
    name,
    include,
    exclude: ["**/node_modules/**", ...exclude],
    env: { TEST_LANE: name, ...env },
  },
});

export default defineConfig({
  test: {
    projects: [
      lane("main", [all], [browserFiles, ...longFiles]),
      lane("long", [...longFiles, ...wholeFiles]),
      lane("plugins", overPlugins.map(pathOf), [], { TEST_LINK: "plugin" }),
      lane("browser", [browserFiles]),
    ],
    globalSetup: "test/support/runner/global-setup.ts",
    setupFiles: "test/support/runner/setup.ts",
    reporters: ["default", "./test/support/runner/closing-line.ts"],
    slowTestThreshold: 10_000,
    // A worker loads a module once and keeps it for all of its test files. Node strips the types.
    pool: "forks",
    execArgv: ["--no-warnings"],
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    maxWorkers: 3,
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
