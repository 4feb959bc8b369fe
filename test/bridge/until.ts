import { setTimeout as sleep } from "node:timers/promises";

/** Waits until `isTrue` says so; the test's own time-out is the limit. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(2);
}
