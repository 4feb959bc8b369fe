import { setTimeout as sleep } from "node:timers/promises";

const pollMs = 20;

/** Returns a promise's value; undefined on timeout. */
export async function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const done = new AbortController();
  const timer = sleep(ms, undefined, { signal: done.signal }).catch(() => undefined);
  try {
    return await Promise.race([promise, timer]);
  } finally {
    done.abort();
  }
}

/** Polls a condition until it holds. @returns false on timeout */
export async function waitUntil(condition: () => boolean, ms: number): Promise<boolean> {
  const until = performance.now() + ms;
  while (!condition() && performance.now() < until) await sleep(pollMs);
  return condition();
}
