import { writeFileSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";

import type { AggregatedResult, Reporter, TestContext, TestResult } from "@jest/reporters";

/** A comparison of two large bodies is told whole above, where Jest prints it. */
const linesOfMessage = 20;
/** Where nearly everything fails, the first few say why. */
const testsOfFile = 10;

/**
 * Tells what failed, in words that fit the end of a log: into the folder that TEST_REPORT names it writes `files` (a
 * path a line) and `failures` (each test's name and message, without frames of code). Where nothing failed, neither.
 */
export default class FailureReport implements Pick<Reporter, "onRunComplete"> {
  onRunComplete(_contexts: Set<TestContext>, { testResults }: AggregatedResult): void {
    const folder = process.env["TEST_REPORT"];
    const failed = testResults.filter(hasFailed);
    if (folder === undefined || failed.length === 0) return;
    const write = (name: string, lines: readonly string[]) =>
      writeFileSync(path.join(folder, name), `${lines.join("\n")}\n`);
    write("files", failed.map(nameOf));
    write("failures", failed.flatMap(describeFailures));
  }
}

const hasFailed = ({ numFailingTests, testExecError }: TestResult): boolean =>
  numFailingTests > 0 || testExecError !== undefined;

const nameOf = ({ testFilePath }: TestResult): string => path.relative("", testFilePath);

/** A line for the file, one for each of its tests that failed, and under each what was wrong. */
export function describeFailures(result: TestResult): string[] {
  const { testResults, testExecError } = result;
  const failed = testResults.filter(({ status }) => status === "failed");
  const tests = failed.slice(0, testsOfFile).flatMap(({ fullName, failureMessages }) => {
    return [`  ● ${fullName}`, ...linesOf(failureMessages.join("\n"))];
  });
  const rest = failed.length - testsOfFile;
  return [
    nameOf(result),
    ...(testExecError ? linesOf(testExecError.message) : []),
    ...tests,
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

/** A message's lines: no colours, no frames of the stack, no blank ones. */
function linesOf(message: string): string[] {
  const lines = stripVTControlCharacters(message)
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^\s+at /.test(line));
  const cut = lines.length > linesOfMessage ? ["… (whole above)"] : [];
  return [...lines.slice(0, linesOfMessage), ...cut].map((line) => `    ${line}`);
}
