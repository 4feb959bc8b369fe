import { AsyncLocalStorage, createHook } from "node:async_hooks";

/**
 * Counts the running timers that a piece of code has started and that keep the process alive. Test
 * files share a process, so a count over the process would include timers of other tests.
 */
export class OwnTimers {
  readonly #inside = new AsyncLocalStorage<true>();
  readonly #running = new Map<number, NodeJS.Timeout>();
  readonly #hook = createHook({
    init: (id, type, _trigger, timer) => {
      if (type === "Timeout" && this.#inside.getStore()) {
        this.#running.set(id, timer as NodeJS.Timeout);
      }
    },
    destroy: (id) => void this.#running.delete(id),
  });

  /** Runs code and counts all timers that it starts, also in functions that it calls. */
  run<T>(code: () => Promise<T>): Promise<T> {
    this.#hook.enable();
    return this.#inside.run(true, code);
  }

  count(): number {
    return [...this.#running.values()].filter((timer) => timer.hasRef()).length;
  }

  stop(): void {
    this.#hook.disable();
  }
}
