import type { SimulatorOptions } from "./options.ts";
import { startSimulator } from "./simulator.ts";
import type { Simulator } from "./simulator.ts";

/** Noon of a day in November 2025. The clock of a small world stands still unless moved. */
export const noon = 1_764_201_600_000;

/** Returns the events since the buffer's log had length `from`. */
export const saidSince = ({ buffer }: Simulator, from: number): [string, unknown][] =>
  buffer.log.slice(from).map(({ kind, payload }): [string, unknown] => [kind, payload]);

/** Emits this many ordinary events. */
export function say(simulator: Simulator, count: number): void {
  for (let index = 0; index < count; index++) {
    simulator.emit("world.broadcast", { text: `line ${index}`, hue: 1, access: "Player" });
  }
}

/** Starts small simulators; call `stopAll` after each test. */
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
