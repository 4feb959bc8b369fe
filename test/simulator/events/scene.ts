import type { RandomSource } from "../random.ts";
import type { Payload } from "../stream/event.ts";
import type { ShardWorld } from "../world/world.ts";

export type { Payload };
export type EmitEvent = (kind: string, payload: Payload) => void;

/**
 * The context of a simulated event: the world, random numbers, a clock and a function that emits.
 */
export interface SimulationContext {
  readonly world: ShardWorld;
  readonly random: RandomSource;
  /** The clock of the game, in epoch milliseconds. */
  readonly now: () => number;
  readonly emit: EmitEvent;
}

/**
 * A kind of simulated event. It emits nothing if the world contains nothing to which it can happen.
 */
export interface SimulatedEvent {
  /** The frequency of the event, relative to that of the other events. */
  readonly weight: number;
  readonly happen: (scene: SimulationContext) => void;
}

export const defineSimulatedEvent = (
  weight: number,
  happen: (scene: SimulationContext) => void,
): SimulatedEvent => ({
  weight,
  happen,
});
