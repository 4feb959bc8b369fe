/** Interval in milliseconds at which the timer checks if the process was suspended. */
const stepMs = 250;
/** If the timer is later than this, the process was suspended or blocked. */
const suspendedMs = 100;
/** Minimum time after a suspension, to read responses that arrived meanwhile, even on a busy machine. */
const readingMs = 1_000;

export interface Deadline {
  readonly signal: AbortSignal;
  clear(): void;
}

/**
 * Starts a timeout that does not count time in which the process was suspended. After a suspension, a
 * plain timer fires before the received responses are read, and accepted messages would be sent again.
 */
export function startDeadline(ms: number): Deadline {
  const ending = new AbortController();
  let leftMs = ms;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const waitMs = Math.min(leftMs, stepMs);
    const dueAt = performance.now() + waitMs;
    timer = setTimeout(() => {
      const lateMs = performance.now() - dueAt;
      const hasStoodStill = lateMs > suspendedMs;
      leftMs = hasStoodStill ? Math.max(leftMs - waitMs, readingMs) : leftMs - waitMs - lateMs;
      if (leftMs > 0) wait();
      else ending.abort(new DOMException("no answer in time", "TimeoutError"));
    }, waitMs);
  };
  wait();
  return { signal: ending.signal, clear: () => clearTimeout(timer) };
}
