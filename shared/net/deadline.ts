/** A timer that comes so much too late was kept by a process that stood still. */
const stoodStillMs = 100;
/** For reading what came meanwhile, also by a machine that has much else to do. */
const readingMs = 1_000;

export interface Deadline {
  /** Aborts when the time is over. */
  readonly signal: AbortSignal;
  clear(): void;
}

/**
 * A process that stood still finds its time over and the answers there, in this order: what has come
 * meanwhile is read first, because a message that was taken must not be sent again.
 */
export function startDeadline(ms: number): Deadline {
  const ending = new AbortController();
  const endsAt = performance.now() + ms;
  const end = (): void => ending.abort(new DOMException("no answer in time", "TimeoutError"));
  let timer = setTimeout(() => {
    const hasStoodStill = performance.now() - endsAt > stoodStillMs;
    timer = setTimeout(end, hasStoodStill ? readingMs : 0);
  }, ms);
  return { signal: ending.signal, clear: () => clearTimeout(timer) };
}
