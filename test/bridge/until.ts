import { setTimeout as sleep } from "node:timers/promises";

/** Polls until `isTrue` returns true. Only the timeout of the test ends the wait early. */
export async function pollUntil(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(2);
}
