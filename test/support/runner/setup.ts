import { appendFileSync } from "node:fs";

import { afterAll, vi } from "vitest";

import { AnswerChecks, type GivenAnswer, type GivenBlock } from "../http/answer-checks.ts";
import { letGoNow } from "./end-of-file.ts";

declare global {
  /** Checks an answer against the API description. Absent outside the tests, as in the bench. */
  var faultOfAnswer: ((answer: GivenAnswer) => string | undefined) | undefined;
  var faultOfBlock: ((block: GivenBlock) => string | undefined) | undefined;
  var answerChecks: AnswerChecks | undefined;
}

// Vitest runs this module once a test file. Compiled validators are shared by all files of a worker.
const checks = (globalThis.answerChecks ??= new AnswerChecks());
globalThis.faultOfAnswer = (answer) => checks.faultOf(answer);
globalThis.faultOfBlock = (block) => checks.faultOfBlock(block);

// Runs after the hooks of the test file: Vitest runs hooks in reverse order.
afterAll(() => {
  const file = process.env["TEST_ANSWERS_FILE"];
  if (file !== undefined) appendFileSync(file, `${checks.checked}\n`);
  checks.checked = 0;
  vi.restoreAllMocks();
  vi.useRealTimers();
  letGoNow();
});
