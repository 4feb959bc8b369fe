import { performance } from "node:perf_hooks";

/** What a pace drives. */
export interface Paced {
  readonly awake: boolean;
  /** Events a second, as it is told when the pace changes. */
  rate: number;
  /** Lets at least so many events come; returns how many came. */
  readonly happen: (count: number) => number;
}

/** Lets things happen at a rate, in small steps and without making up for a long sleep. */
export interface Pace {
  /** Events a second; 0 stands still. */
  readonly setRate: (rate: number) => void;
  readonly rate: () => number;
  readonly stop: () => void;
}

const stepMs = 20;
const longestSleepMs = 1_000;

export function createPace(game: Paced): Pace {
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
