import { setTimeout as sleep } from "node:timers/promises";

import { Backoff } from "../time/backoff.ts";

const firstWaitMs = 200;
const longestWaitMs = 5_000;
/** Number of attempts, enough for a restart of the database. */
const tries = 30;

/** Retries a write of data that exists only in this process. @throws the error of the last attempt */
export async function retryWrite<T>(write: () => Promise<T>): Promise<T> {
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
