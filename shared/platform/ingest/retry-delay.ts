import { setTimeout as sleep } from "node:timers/promises";

/** Waits before the next attempt to use the database; returns early if the signal aborts. */
export const waitBeforeRetry = (signal: AbortSignal): Promise<void> =>
  sleep(1_000, undefined, { signal }).catch(() => undefined);
