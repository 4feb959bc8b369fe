import type { SurvivalOptions } from "./options.ts";
import { startSurvivalSimulator } from "./simulator.ts";
import type { SurvivalSimulator } from "./simulator.ts";

/** Noon of a day in November 2025: the clock of a small world stands still unless it is moved. */
export const noon = 1_764_201_600_000;

/** A clock that goes only where it is told to. */
export function handClock() {
  let now = noon;
  return {
    clock: (): number => now,
    pass: (ms: number): void => {
      now += ms;
    },
  };
}

/** Starts small survival servers and stops them all: `stopAll` is for after each test. */
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

/** What the game has said since the buffer's log was `from` long. */
export const toldSince = ({ buffer }: SurvivalSimulator, from: number): [string, unknown][] =>
  buffer.log.slice(from).map(({ kind, payload }): [string, unknown] => [kind, payload]);
