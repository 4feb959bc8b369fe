import { existsSync, readFileSync } from "node:fs";

import type { AggregatedResult, Reporter, TestContext } from "@jest/reporters";

/** Prints the counts alone on one line, which any continuous integration can read. */
export default class ClosingLine implements Pick<Reporter, "onRunComplete"> {
  onRunComplete(_contexts: Set<TestContext>, result: AggregatedResult): void {
    const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
    process.stdout.write(`\n${answersChecked()} answers were held against the API description\n`);
    process.stdout.write(`\n${result.numPassedTests} passed, ${failed} failed\n`);
  }
}

/** The sum of what each test file wrote at its end. */
function answersChecked(): number {
  const file = process.env["TEST_ANSWERS_FILE"];
  if (file === undefined || !existsSync(file)) return 0;
  const counts = readFileSync(file, "utf8").trim().split("\n");
  return counts.reduce((sum, count) => sum + Number(count), 0);
}
