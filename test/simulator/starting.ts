import type { SimulatorOptions } from "./options.ts";
import { startSimulator } from "./simulator.ts";
import type { Simulator } from "./simulator.ts";

/** Noon of a day in November 2025: the clock of a small world stands still unless it is moved. */
export const noon = 1_764_201_600_000;

/** What the game has said since the buffer's log was `from` long. */
export const saidSince = ({ buffer }: Simulator, from: number): [string, unknown][] =>
  buffer.log.slice(from).map(({ kind, payload }): [string, unknown] => [kind, payload]);

/** Says something plain, so many times. */
export function say(simulator: Simulator, count: number): void {
  for (let index = 0; index < count; index++) {
    simulator.emit("world.broadcast", { text: `line ${index}`, hue: 1, access: "Player" });
  }
}

/** Starts small simulators and stops them all: `stopAll` is for after each test. */
export function simulators() {
  const running: Simulator[] = [];
  return {
    start: async (options: SimulatorOptions = {}): Promise<Simulator> => {
      const simulator = await startSimulator({ world: "small", clock: () => noon, ...options });
      running.push(simulator);
      return simulator;
    },
    stopAll: async (): Promise<void> => {
      await Promise.all(running.splice(0).map((simulator) => simulator.stop()));
    },
  };
}
