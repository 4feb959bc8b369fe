import { setTimeout as sleep } from "node:timers/promises";

import { messageOf } from "../../errors/errors.ts";
import type { Logger } from "../../log.ts";
import { isDatabaseUnavailable, isOutOfConnections } from "./database-unavailable.ts";

export interface DatabaseWaiterOptions {
  readonly log: Logger;
  /** Milliseconds for which the database or the release's schema may be unavailable. */
  readonly forMs: number;
  readonly connections: number;
}

const askEveryMs = 500;

/**
 * Makes the start of a process wait for the database. A failed start would make the host restart the
 * process, which opens more connections. Each reason to wait is logged once.
 */
export class DatabaseWaiter {
  readonly #options: DatabaseWaiterOptions;
  readonly #said = new Set<"away" | "full">();

  constructor(options: DatabaseWaiterOptions) {
    this.#options = options;
  }

  /**
   * @param step repeated until it succeeds, so it must be repeatable after any failure
   * @param isTemporary returns true for further errors that are temporary
   * @throws the last error after the timeout; a lack of connections has no timeout
   */
  async for<T>(
    step: () => Promise<T>,
    isTemporary: (error: unknown) => boolean = () => false,
  ): Promise<T> {
    const giveUpAt = performance.now() + this.#options.forMs;
    for (;;) {
      try {
        const done = await step();
        // If the database fails again later, log it again.
        this.#said.delete("away");
        return done;
      } catch (error) {
        const passes = isOutOfConnections(error) || isUnavailable(error) || isTemporary(error);
        if (!passes || (!isOutOfConnections(error) && performance.now() >= giveUpAt)) throw error;
        this.#say(error);
      }
      await sleep(askEveryMs);
    }
  }

  #say(error: unknown): void {
    const { log, forMs, connections } = this.#options;
    const what = isOutOfConnections(error) ? "full" : "away";
    if (this.#said.has(what)) return;
    this.#said.add(what);
    if (what === "away") log.warn(`waiting up to ${forMs / 1000} s: ${messageOf(error)}`);
    else log.warn(`waiting for free database connections: this process opens up to ${connections}`);
  }
}

/** Error codes of sockets to an unreachable server. */
const unreachableCodes = ["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH"];

/** True if the database cannot be reached. Use it only for work that connects to nothing else. */
const isUnavailable = (error: unknown): boolean =>
  isDatabaseUnavailable(error) ||
  (error instanceof Error &&
    (unreachableCodes.includes((error as NodeJS.ErrnoException).code ?? "") ||
      /^timeout (exceeded|expired)/.test(error.message)));
