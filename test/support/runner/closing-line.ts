import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import type { Reporter, TestModule } from "vitest/node";

import type { RowComparison } from "./compare-rows.ts";

/**
 * Prints the numbers of tests on one line, in a form that each CI service can read. Prints the most
 * expensive files too.
 */
export default class ClosingLine implements Reporter {
  async onTestRunEnd(
    modules: readonly TestModule[],
    unhandledErrors: readonly unknown[],
  ): Promise<void> {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const passed = tests.filter((test) => test.result().state === "passed").length;
    const failedTests = tests.filter((test) => test.result().state === "failed").length;
    const brokenFiles = modules.filter((module) => module.errors().length > 0).length;
    const rowFaults = await compareRows();
    if (rowFaults > 0) process.exitCode = 1;
    const failed = failedTests + brokenFiles + unhandledErrors.length + rowFaults;
    process.stdout.write(
      `\n${countCheckedAnswers()} answers were held against the API description\n`,
    );
    printCosts(modules, Number(process.env["TEST_COSTS"] ?? 0));
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  }
}

/** Prints the files that used most CPU time. `TEST_COSTS` is their number. */
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

/** Adds up the counts of checked answers that the test files have appended to a file. */
function countCheckedAnswers(): number {
  const file = process.env["TEST_ANSWERS_FILE"];
  if (file === undefined || !existsSync(file)) return 0;
  const counts = readFileSync(file, "utf8").trim().split("\n");
  return counts.reduce((sum, count) => sum + Number(count), 0);
}

/**
 * Compares the rows that the run has read with their declared types. Prints the faults.
 * @returns the number of faults
 */
async function compareRows(): Promise<number> {
  const file = process.env["TEST_ROWS_FILE"];
  if (file === undefined || !existsSync(file)) return 0;
  const program = path.join(import.meta.dirname, "compare-rows.ts");
  const { stdout } = await promisify(execFile)(process.execPath, ["--no-warnings", program, file]);
  const { compared, declared, faults } = JSON.parse(stdout) as RowComparison;
  process.stdout.write(`\n${compared} of ${declared} row types were compared with rows\n`);
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  return faults.length;
}
