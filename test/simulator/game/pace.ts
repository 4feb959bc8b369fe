import { performance } from "node:perf_hooks";

/** A game that emits events at a rate. */
export interface PacedGame {
  readonly awake: boolean;
  /** The events per second. `setRate` changes it. */
  rate: number;
  /** Simulates at least this many events. @returns their number */
  readonly happen: (count: number) => number;
}

/**
 * Makes a game emit events at a rate, in small steps. Events that were missed while the machine slept are not
 * emitted later.
 */
export interface EventPacer {
  /** Sets the events per second. 0 pauses the events. */
  readonly setRate: (rate: number) => void;
  readonly rate: () => number;
  readonly stop: () => void;
}

const stepMs = 20;
const longestSleepMs = 1_000;

export function createEventPacer(game: PacedGame): EventPacer {
  let rate = 0;
  let owed = 0;
  let last = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const step = (): void => {
    const now = performance.now();
    owed += (Math.min(now - last, longestSleepMs) * rate) / 1_000;
    last = now;
    if (owed >= 1) owed -= game.awake ? game.happen(Math.floor(owed)) : owed;
  };
  const stop = (): void => clearInterval(timer);
  return {
    rate: () => rate,
    stop,
    setRate: (next) => {
      stop();
      rate = next;
      if (rate <= 0) return;
      game.rate = rate;
      owed = 0;
      last = performance.now();
      timer = setInterval(step, stepMs);
    },
  };
}
