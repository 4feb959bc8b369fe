import type { SurvivalOptions } from "./options.ts";
import { startSurvivalSimulator } from "./simulator.ts";
import type { SurvivalSimulator } from "./simulator.ts";

/**
 * The present time of small worlds: noon of a day in November 2025. It does not advance by itself.
 */
export const noon = 1_764_201_600_000;

/** Returns a clock that advances only when the test calls `pass`. */
export function createManualClock() {
  let now = noon;
  return {
    clock: (): number => now,
    pass: (ms: number): void => {
      now += ms;
    },
  };
}

/** Returns functions that start and stop small survival servers. Call `stopAll` after each test. */
export function createSurvivalSimulatorPool() {
  const running: SurvivalSimulator[] = [];
  return {
    start: async (options: SurvivalOptions = {}): Promise<SurvivalSimulator> => {
      const settled = { world: "small", clock: () => noon, ticking: false, ...options } as const;
      const simulator = await startSurvivalSimulator(settled);
      running.push(simulator);
      return simulator;
    },
    stopAll: async (): Promise<void> => {
      await Promise.all(running.splice(0).map((simulator) => simulator.stop()));
    },
  };
}

/** Returns the events after the first `from` events of the log. */
export const survivalEventsSince = (
  { buffer }: SurvivalSimulator,
  from: number,
): [string, unknown][] =>
  buffer.log.slice(from).map(({ kind, payload }): [string, unknown] => [kind, payload]);
