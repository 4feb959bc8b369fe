import { appendFileSync } from "node:fs";

import { afterAll, vi } from "vitest";

import {
  AnswerChecks,
  type AnswerToValidate,
  type BlockToValidate,
} from "../http/answer-checks.ts";
import { clearRegistered } from "./end-of-file.ts";
import { watchRows, writeRowShapes } from "./row-shapes.ts";

declare global {
  /**
   * Compares an answer with the API description. The function is undefined outside tests, for example in
   * benchmarks.
   */
  var faultOfAnswer: ((answer: AnswerToValidate) => string | undefined) | undefined;
  var faultOfBlock: ((block: BlockToValidate) => string | undefined) | undefined;
  var answerChecks: AnswerChecks | undefined;
  var rowsAreWatched: boolean | undefined;
}

declare module "vitest" {
  interface TaskMeta {
    /**
     * The milliseconds of CPU time that the worker has used for the file. PostgreSQL and other
     * processes are not included.
     */
    cpuMs?: number;
  }
}

const atStart = process.cpuUsage();

// Vitest runs this module for each test file. The compiled schemas are shared by all files of a
// worker.
const checks = (globalThis.answerChecks ??= new AnswerChecks());
globalThis.faultOfAnswer = (answer) => checks.faultOf(answer);
globalThis.faultOfBlock = (block) => checks.faultOfBlock(block);

if (!globalThis.rowsAreWatched) watchRows();
globalThis.rowsAreWatched = true;

// Runs after the hooks of the test file: Vitest runs hooks in reverse order.
// Vitest passes the suite second, and requires a pattern as the first argument.
// oxlint-disable-next-line no-empty-pattern
afterAll(({}, suite) => {
  const file = process.env["TEST_ANSWERS_FILE"];
  if (file !== undefined) appendFileSync(file, `${checks.checked}\n`);
  checks.checked = 0;
  const rowsFile = process.env["TEST_ROWS_FILE"];
  if (rowsFile !== undefined) writeRowShapes(rowsFile);
  vi.restoreAllMocks();
  vi.useRealTimers();
  clearRegistered();
  const { user, system } = process.cpuUsage(atStart);
  suite.file.meta.cpuMs = Math.round((user + system) / 1_000);
});
