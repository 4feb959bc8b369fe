import { setTimeout as sleep } from "node:timers/promises";

/** Nobody waits for it but a test that fails: a busy machine may take a hundred times what is usual. */
export const patienceMs = 120_000;

/** Pauses between two looks: short at first, then longer, because each look costs a query or a request. */
const pauses = { firstMs: 10, growth: 1.4, mostMs: 100 };

/**
 * Asks until the answer is yes.
 * @param what in words; a function tells them as things stand when the wait was in vain
 * @throws when it is not within `withinMs`
 */
export async function until(
  what: string | (() => string),
  holds: () => Promise<boolean> | boolean,
  withinMs = patienceMs,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  let pauseMs = pauses.firstMs;
  while (!(await holds())) {
    if (performance.now() > deadline) {
      throw new Error(`waited in vain: ${typeof what === "string" ? what : what()}`);
    }
    await sleep(pauseMs);
    pauseMs = Math.min(pauseMs * pauses.growth, pauses.mostMs);
  }
}
