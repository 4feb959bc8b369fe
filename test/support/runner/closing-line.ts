import { existsSync, readFileSync } from "node:fs";

import type { Reporter, TestModule } from "vitest/node";

/** Prints the counts on one line, which any continuous integration can read, and the costs of files. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const passed = tests.filter((test) => test.result().state === "passed").length;
    const failedTests = tests.filter((test) => test.result().state === "failed").length;
    const brokenFiles = modules.filter((module) => module.errors().length > 0).length;
    const failed = failedTests + brokenFiles + unhandledErrors.length;
    process.stdout.write(
      `\n${countCheckedAnswers()} answers were held against the API description\n`,
    );
    printCosts(modules, Number(process.env["TEST_COSTS"] ?? 0));
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  }
}

/** Prints the files that needed most CPU: `TEST_COSTS` is how many. */
function printCosts(modules: readonly TestModule[], count: number): void {
  if (count === 0) return;
  const costs = modules
    .map((module) => ({ name: module.relativeModuleId, cpuMs: module.meta().cpuMs ?? 0 }))
    .toSorted((one, other) => other.cpuMs - one.cpuMs);
  const sum = costs.reduce((total, { cpuMs }) => total + cpuMs, 0);
  const seconds = (ms: number): string => (ms / 1_000).toFixed(1).padStart(7);
  const lines = costs.slice(0, count).map(({ cpuMs, name }) => `${seconds(cpuMs)}  ${name}`);
  process.stdout.write(`\nCPU seconds of the workers, by file\n${lines.join("\n")}\n`);
  process.stdout.write(`${seconds(sum)}  all ${costs.length} files\n`);
}

/** The sum of the lines that test files append when they end. */
function countCheckedAnswers(): number {
  const file = process.env["TEST_ANSWERS_FILE"];
  if (file === undefined || !existsSync(file)) return 0;
  const counts = readFileSync(file, "utf8").trim().split("\n");
  return counts.reduce((sum, count) => sum + Number(count), 0);
}
