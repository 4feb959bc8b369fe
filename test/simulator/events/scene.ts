import type { RandomSource } from "../random.ts";
import type { Payload } from "../stream/event.ts";
import type { World } from "../world/world.ts";

export type { Payload };
export type Emit = (kind: string, payload: Payload) => void;

/** The context of a simulated event: the world that it changes and its output. */
export interface Scene {
  readonly world: World;
  readonly random: RandomSource;
  /** The game's clock, epoch ms. */
  readonly now: () => number;
  readonly emit: Emit;
}

/** A simulated event; it emits nothing if the world has no suitable subject. */
export interface SimulatedEvent {
  /** Relative to the weights of the others. */
  readonly weight: number;
  readonly happen: (scene: Scene) => void;
}

export const happening = (weight: number, happen: (scene: Scene) => void): SimulatedEvent => ({
  weight,
  happen,
});
