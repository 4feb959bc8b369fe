import { setTimeout as sleep } from "node:timers/promises";

/** Waits before the database is tried again, unless stopped. */
export const restBeforeRetry = (signal: AbortSignal): Promise<void> =>
  sleep(1_000, undefined, { signal }).catch(() => undefined);
