import { setTimeout as sleep } from "node:timers/promises";

/**
 * The timeout of a wait. Only a failing test reaches it. A busy machine may be a hundred times
 * slower than usual.
 */
export const timeoutMs = 120_000;

/**
 * The pauses between two checks. They begin short and then grow, because each check costs a query
 * or a request.
 */
const pauses = { firstMs: 10, growth: 1.4, mostMs: 100 };

/**
 * Repeats a check until it returns true.
 * @param what describes the check; a function describes the state after the timeout
 * @throws if the check is still false after `cancelTimeoutMs`
 */
export async function waitUntil(
  what: string | (() => string),
  holds: () => Promise<boolean> | boolean,
  withinMs = timeoutMs,
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
