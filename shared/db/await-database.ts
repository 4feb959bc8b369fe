import { setTimeout as sleep } from "node:timers/promises";

import type { Config } from "../config/config.ts";
import { messageOf } from "../errors.ts";
import type { Logger } from "../log.ts";
import { isDatabaseAway } from "./database-away.ts";

export interface Wait {
  readonly log: Logger;
  readonly forMs: number;
}

/** How long a start waits for the database and what is in it. */
export const startWait = (of: {
  readonly log: Logger;
  readonly config: Pick<Config, "SCHEMA_WAIT">;
}): Wait => ({ log: of.log, forMs: of.config.SCHEMA_WAIT });

const askEveryMs = 500;

/**
 * Does what a start needs of the database. A process that has begun outlives a restart of it: while
 * the database is away the start waits, and says so once.
 * @param work may be done again, wherever it failed
 * @param isYetToCome what else passes by itself
 * @throws what it failed of at last, once that time is over
 */
export async function awaitDatabase<T>(
  work: () => Promise<T>,
  { log, forMs }: Wait,
  isYetToCome: (error: unknown) => boolean = () => false,
): Promise<T> {
  const giveUpAt = performance.now() + forMs;
  for (let hasSaid = false; ; hasSaid = true) {
    try {
      return await work();
    } catch (error) {
      const passes = isDatabaseAway(error) || isOutOfReach(error) || isYetToCome(error);
      if (!passes || performance.now() >= giveUpAt) throw error;
      if (!hasSaid) log.warn(`waiting up to ${forMs / 1000} s: ${messageOf(error)}`);
    }
    await sleep(askEveryMs);
  }
}

/** What a socket says of a way on which nobody is. */
const codesOfSockets = ["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH"];

/** Only for work that asks nobody but the database. */
const isOutOfReach = (error: unknown): boolean =>
  error instanceof Error &&
  (codesOfSockets.includes((error as NodeJS.ErrnoException).code ?? "") ||
    /^timeout (exceeded|expired)/.test(error.message));
