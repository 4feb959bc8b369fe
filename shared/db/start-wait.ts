import { setTimeout as sleep } from "node:timers/promises";

import { messageOf } from "../errors.ts";
import type { Logger } from "../log.ts";
import { isDatabaseAway } from "./database-away.ts";

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
  #isRoomAsked = false;

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
    const { log, forMs } = this.#options;
    const giveUpAt = performance.now() + forMs;
    let hasSaid = false;
    for (;;) {
      try {
        return await step();
      } catch (error) {
        if (isFull(error)) this.#sayFull(error);
        else {
          const passes = isDatabaseAway(error) || isOutOfReach(error) || isYetToCome(error);
          if (!passes || performance.now() >= giveUpAt) throw error;
          if (!hasSaid) log.warn(`waiting up to ${forMs / 1000} s: ${messageOf(error)}`);
          hasSaid = true;
        }
      }
      await sleep(askEveryMs);
    }
  }

  #sayFull(error: unknown): void {
    if (this.#isRoomAsked) return;
    this.#isRoomAsked = true;
    const { log, connections } = this.#options;
    log.warn({ err: error }, `waiting for connections: this process opens up to ${connections}`);
  }
}

/** What a server says that has no connection left, and what poolers say, which have no code for it. */
const codeOfFull = "53300";
const wordsOfFull = /no more connections allowed|max client connections reached/i;

/** Whether an error says that server or pooler give no further connection now. */
function isFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Sequelize wraps what the driver says.
  const { code, original } = error as { readonly code?: unknown; readonly original?: unknown };
  return code === codeOfFull || wordsOfFull.test(error.message) || isFull(original);
}

/** What a socket says of a way on which nobody is. */
const codesOfSockets = ["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH"];

/** Only for work that asks nobody but the database. */
const isOutOfReach = (error: unknown): boolean =>
  error instanceof Error &&
  (codesOfSockets.includes((error as NodeJS.ErrnoException).code ?? "") ||
    /^timeout (exceeded|expired)/.test(error.message));
