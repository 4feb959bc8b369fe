import { existsSync, readFileSync } from "node:fs";

import type { Reporter, TestModule } from "vitest/node";

/** Prints the counts alone on one line, which any continuous integration can read. */
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
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  }
}

/** The sum of the lines that test files append when they end. */
function countCheckedAnswers(): number {
  const file = process.env["TEST_ANSWERS_FILE"];
  if (file === undefined || !existsSync(file)) return 0;
  const counts = readFileSync(file, "utf8").trim().split("\n");
  return counts.reduce((sum, count) => sum + Number(count), 0);
}
