import { setTimeout as sleep } from "node:timers/promises";

/** Polls until `isTrue` returns true. Its only timeout is that of the test. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(2);
}
