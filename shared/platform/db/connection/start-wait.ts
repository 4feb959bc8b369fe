import { setTimeout as sleep } from "node:timers/promises";

import { messageOf } from "../../errors/errors.ts";
import type { Logger } from "../../log.ts";
import { isDatabaseAway, isFull } from "./database-away.ts";

export interface StartWaitOptions {
  readonly log: Logger;
  /** How long the database, or what a release makes of it, may be away. */
  readonly forMs: number;
  /** How many connections the process opens at most. */
  readonly connections: number;
}

const askEveryMs = 500;

/**
 * Has steps of a process's start wait for the database. A process that has begun outlives a restart
 * of it, and a start that ended for want of a connection would only be repeated by the host, which
 * opens more. What is waited for is said once.
 */
export class StartWait {
  readonly #options: StartWaitOptions;
  readonly #said = new Set<"away" | "full">();

  constructor(options: StartWaitOptions) {
    this.#options = options;
  }

  /**
   * @param step may be done again, wherever it failed
   * @param isYetToCome what else passes by itself
   * @throws what it failed of at last, once the time is over; the want of a connection has no end
   */
  async for<T>(
    step: () => Promise<T>,
    isYetToCome: (error: unknown) => boolean = () => false,
  ): Promise<T> {
    const giveUpAt = performance.now() + this.#options.forMs;
    for (;;) {
      try {
        const done = await step();
        // Who waits for it again says so again.
        this.#said.delete("away");
        return done;
      } catch (error) {
        const passes = isFull(error) || isAway(error) || isYetToCome(error);
        if (!passes || (!isFull(error) && performance.now() >= giveUpAt)) throw error;
        this.#say(error);
      }
      await sleep(askEveryMs);
    }
  }

  #say(error: unknown): void {
    const { log, forMs, connections } = this.#options;
    const what = isFull(error) ? "full" : "away";
    if (this.#said.has(what)) return;
    this.#said.add(what);
    if (what === "away") log.warn(`waiting up to ${forMs / 1000} s: ${messageOf(error)}`);
    else log.warn(`waiting for connections: this process opens up to ${connections}`);
  }
}

/** What a socket says of a way on which nobody is. */
const codesOfSockets = ["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH"];

/** Only for work that asks nobody but the database. */
const isAway = (error: unknown): boolean =>
  isDatabaseAway(error) ||
  (error instanceof Error &&
    (codesOfSockets.includes((error as NodeJS.ErrnoException).code ?? "") ||
      /^timeout (exceeded|expired)/.test(error.message)));
