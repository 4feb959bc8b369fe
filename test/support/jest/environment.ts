import { appendFileSync } from "node:fs";

import { ModernFakeTimers } from "@jest/fake-timers";
import { ModuleMocker } from "jest-mock";

import { AnswerChecks, type GivenAnswer, type GivenBlock } from "../answer-checks.ts";
import { letGoNow } from "../end-of-file.ts";

declare global {
  /** Absent outside the tests, as in the bench. */
  var faultOfAnswer: ((answer: GivenAnswer) => string | undefined) | undefined;
  var faultOfBlock: ((block: GivenBlock) => string | undefined) | undefined;
}

type FakeTimersOptions = ConstructorParameters<typeof ModernFakeTimers>[0];

/** Made once a process: a validator is compiled for the first file that needs it. */
const checks = new AnswerChecks();

/**
 * Tests run where Node runs modules, not in a context of their own: such a context loads every
 * module anew for each file. Gives each file the checks of answers against the API description.
 */
export default class ApiEnvironment {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  readonly #console = globalThis.console;
  // oxlint-disable-next-line typescript/unbound-method -- put back as it was, called by nobody here
  readonly #exit = process.exit;

  constructor({ projectConfig }: { readonly projectConfig: FakeTimersOptions["config"] }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  setup(): Promise<void> {
    globalThis.faultOfAnswer = (answer) => checks.faultOf(answer);
    globalThis.faultOfBlock = (block) => checks.faultOfBlock(block);
    return Promise.resolve();
  }

  /** Leaves to the next file what this one found. */
  teardown(): Promise<void> {
    const file = process.env["TEST_ANSWERS_FILE"];
    if (file !== undefined) appendFileSync(file, `${checks.checked}\n`);
    checks.checked = 0;
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    globalThis.console = this.#console;
    process.exit = this.#exit;
    letGoNow();
    return Promise.resolve();
  }

  exportConditions(): string[] {
    return ["node", "node-addons"];
  }

  getVmContext(): null {
    return null;
  }
}
