import type { OwnProcess } from "../../support/own-process.ts";

/** Keeps what starts and the database's restarts apart: a start that waits for it is a test of its own. */
export class Starts {
  #last: Promise<unknown> = Promise.resolve();
  readonly #starting = new Set<Promise<unknown>>();

  async start(one: OwnProcess): Promise<void> {
    await this.#last;
    const started = one.start();
    this.#starting.add(started);
    await started.finally(() => this.#starting.delete(started));
  }

  /** Does something when nothing starts, and lets nothing start before it is done. */
  async apart(work: () => Promise<void>): Promise<void> {
    const done = Promise.allSettled(this.#starting).then(work);
    this.#last = done;
    await done;
  }
}
