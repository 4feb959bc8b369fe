import type { SimulatorOptions } from "./options.ts";
import { startSimulator } from "./simulator.ts";
import type { Simulator } from "./simulator.ts";

/**
 * The present time of small worlds: noon of a day in November 2025. It does not advance by itself.
 */
export const noon = 1_764_201_600_000;

/** Returns the events after the first `from` events of the log. */
export const eventsSince = ({ buffer }: Simulator, from: number): [string, unknown][] =>
  buffer.log.slice(from).map(({ kind, payload }): [string, unknown] => [kind, payload]);

/** Emits this many broadcasts. */
export function emitBroadcasts(simulator: Simulator, count: number): void {
  for (let index = 0; index < count; index++) {
    simulator.emit("world.broadcast", { text: `line ${index}`, hue: 1, access: "Player" });
  }
}

/** Returns functions that start and stop small simulators. Call `stopAll` after each test. */
export function createSimulatorPool() {
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
