/** So often it looks whether the process runs. */
const stepMs = 250;
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
 * A process that stood still finds its time over and the answers there, in this order, and a message
 * that was taken must not be sent again: the time it stood still does not count, and what has come
 * meanwhile is read first.
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
      const hasStoodStill = lateMs > stoodStillMs;
      leftMs = hasStoodStill ? Math.max(leftMs - waitMs, readingMs) : leftMs - waitMs - lateMs;
      if (leftMs > 0) wait();
      else ending.abort(new DOMException("no answer in time", "TimeoutError"));
    }, waitMs);
  };
  wait();
  return { signal: ending.signal, clear: () => clearTimeout(timer) };
}
