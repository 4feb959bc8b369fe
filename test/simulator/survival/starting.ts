import type { SurvivalOptions } from "./options.ts";
import { startSurvivalSimulator } from "./simulator.ts";
import type { SurvivalSimulator } from "./simulator.ts";

/** Noon of a day in November 2025. The clock of a small world stands still unless moved. */
export const noon = 1_764_201_600_000;

/** Returns a clock that only the test moves. */
export function handClock() {
  let now = noon;
  return {
    clock: (): number => now,
    pass: (ms: number): void => {
      now += ms;
    },
  };
}

/** Starts small survival servers; call `stopAll` after each test. */
export function survivalSimulators() {
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

/** Returns the events since the buffer's log had length `from`. */
export const toldSince = ({ buffer }: SurvivalSimulator, from: number): [string, unknown][] =>
  buffer.log.slice(from).map(({ kind, payload }): [string, unknown] => [kind, payload]);
