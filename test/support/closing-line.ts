import type { AggregatedResult, Reporter, TestContext } from "@jest/reporters";

/** Prints the counts alone on one line, which any continuous integration can read. */
export default class ClosingLine implements Pick<Reporter, "onRunComplete"> {
  onRunComplete(_contexts: Set<TestContext>, result: AggregatedResult): void {
    const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
    process.stdout.write(`\n${result.numPassedTests} passed, ${failed} failed\n`);
  }
}
