import { setTimeout as sleep } from "node:timers/promises";

/** Waits before the next attempt to use the database. Returns early if the signal aborts. */
export const waitBeforeRetry = (signal: AbortSignal): Promise<void> =>
  sleep(1_000, undefined, { signal }).catch(() => undefined);
