/** Timers that are all canceled when the simulator stops. */
export interface Timers {
  readonly later: (ms: number, run: () => void) => void;
  readonly stop: () => void;
}

export function createTimers(): Timers {
  const running = new Set<NodeJS.Timeout>();
  return {
    later: (ms, run) => {
      const timer = setTimeout(() => {
        running.delete(timer);
        run();
      }, ms);
      running.add(timer);
    },
    stop: () => {
      for (const timer of running) clearTimeout(timer);
      running.clear();
    },
  };
}
