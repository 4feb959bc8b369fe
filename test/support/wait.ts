import { setTimeout as sleep } from "node:timers/promises";

/** Nobody waits for it but a test that fails: a busy machine may take a hundred times what is usual. */
export const patienceMs = 120_000;

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
  while (!(await holds())) {
    if (performance.now() > deadline) {
      throw new Error(`waited in vain: ${typeof what === "string" ? what : what()}`);
    }
    await sleep(20);
  }
}
