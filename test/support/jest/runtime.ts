import { createRequire, flushCompileCache, registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

import type ApiEnvironment from "./environment.ts";
import { type Globals, useGlobals } from "./globals.ts";

const require = createRequire(import.meta.url);
const globalsUrl = new URL("globals.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "@jest/globals"
      ? { url: globalsUrl, format: "module-typescript", shortCircuit: true }
      : next(specifier, context),
});

/** Where Jest keeps the state of a test file. */
const [handlers, timeout] = [Symbol.for("EVENT_HANDLERS"), Symbol.for("TEST_TIMEOUT_SYMBOL")];
/** Where it keeps the tests that were declared: by a symbol that it makes anew each time it is loaded. */
const state = "JEST_STATE_SYMBOL";

/**
 * Loads test files as Node loads every module: types are stripped, and what one file has loaded
 * serves the next one in the same process. Jest's own way loads the whole service again for each
 * file, which took a third of the suite's time.
 */
class NodeRuntime {
  readonly #environment: ApiEnvironment;

  constructor(_config: object, environment: ApiEnvironment) {
    this.#environment = environment;
  }

  /** What declares and runs the tests keeps the state of one file: it is loaded anew for the next. */
  requireInternalModule(file: string): unknown {
    Reflect.deleteProperty(globalThis, handlers);
    Reflect.deleteProperty(globalThis, timeout);
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (symbol.description === state) Reflect.deleteProperty(globalThis, symbol);
    }
    Reflect.deleteProperty(require.cache, file);
    return require(file);
  }

  requireModule(file: string): unknown {
    return require(file);
  }

  unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  async unstable_importModule(file: string): Promise<void> {
    await import(pathToFileURL(file).href);
    // Jest ends its workers by a signal, at which Node would not write what it compiled.
    flushCompileCache();
  }

  setGlobalsForRuntime(globals: Omit<Globals, "jest">): void {
    useGlobals({ ...globals, jest: this.#jest() });
  }

  #jest(): Globals["jest"] {
    const { moduleMocker, fakeTimersModern } = this.#environment;
    return {
      fn: moduleMocker.fn.bind(moduleMocker),
      spyOn: moduleMocker.spyOn.bind(moduleMocker),
      restoreAllMocks: () => moduleMocker.restoreAllMocks(),
      useFakeTimers: fakeTimersModern.useFakeTimers.bind(fakeTimersModern),
      useRealTimers: () => fakeTimersModern.useRealTimers(),
      advanceTimersByTime: (ms: number) => fakeTimersModern.advanceTimersByTime(ms),
      setTimeout: (ms: number) => Reflect.set(globalThis, timeout, ms),
    };
  }

  enterTestCode(): void {}

  leaveTestCode(): void {}

  getSourceMaps(): null {
    return null;
  }

  getAllCoverageInfoCopy(): undefined {}

  teardown(): void {}
}

export { NodeRuntime as "module.exports" };
