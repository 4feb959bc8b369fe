import { setTimeout as sleep } from "node:timers/promises";

import { Backoff } from "../time/backoff.ts";

const firstWaitMs = 200;
const longestWaitMs = 5_000;
/** A database that restarts is back after this long. */
const tries = 30;

/**
 * Does what must be written down although the database may be away for a moment: it is known to this
 * process alone. @throws what the last try failed of
 */
export async function persist<T>(write: () => Promise<T>): Promise<T> {
  const waits = new Backoff(firstWaitMs, longestWaitMs);
  for (let left = tries; ; left--) {
    try {
      return await write();
    } catch (error) {
      if (left === 0) throw error;
      await sleep(waits.next());
    }
  }
}
