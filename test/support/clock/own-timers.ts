import { AsyncLocalStorage, createHook } from "node:async_hooks";

/**
 * Counts the running timers of one piece of code that keep the process alive. Test files share a process,
 * so the timers of the whole process say nothing about one test.
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

  /** Counts every timer that this code or its callees start from now on. */
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
