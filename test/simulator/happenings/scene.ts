import type { Random } from "../random.ts";
import type { Payload } from "../stream/event.ts";
import type { World } from "../world/world.ts";

export type { Payload };
export type Emit = (kind: string, payload: Payload) => void;

/** Where something happens: the world it changes and the way it is told. */
export interface Scene {
  readonly world: World;
  readonly random: Random;
  /** The game's clock, epoch ms. */
  readonly now: () => number;
  readonly emit: Emit;
}

/** One thing that can happen; it tells nothing when the world has no one for it just now. */
export interface Happening {
  /** How often, against the weights of the others. */
  readonly weight: number;
  readonly happen: (scene: Scene) => void;
}

export const happening = (weight: number, happen: (scene: Scene) => void): Happening => ({
  weight,
  happen,
});
