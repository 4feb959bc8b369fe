import { setTimeout as sleep } from "node:timers/promises";

/** Polls until `isTrue` returns true; the limit is the test's timeout. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(2);
}
