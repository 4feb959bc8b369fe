import type { RandomSource } from "../../random.ts";
import type { Payload } from "../../stream/event.ts";
import type { GameEffects } from "../deeds.ts";
import type { SurvivalWorld } from "../world/world.ts";

/**
 * The context of a simulated event: the world, random numbers, a clock and a function that emits.
 */
export interface SurvivalSimulationContext {
  readonly world: SurvivalWorld;
  readonly random: RandomSource;
  /** The clock of the game, in epoch milliseconds. */
  readonly now: () => number;
  readonly emit: (kind: string, payload: Payload) => void;
  /** The players whose counters have changed since the last report. */
  readonly changedTallies: Set<string>;
  /** Returns an id that is unique in this boot of the game. */
  readonly nextNetId: () => string;
  readonly deeds: GameEffects;
}
