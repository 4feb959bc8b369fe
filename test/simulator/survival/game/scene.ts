import type { RandomSource } from "../../random.ts";
import type { Payload } from "../../stream/event.ts";
import type { GameEffects } from "../deeds.ts";
import type { SurvivalWorld } from "../world/world.ts";

/** The context of a simulated event: the world that it changes and its output. */
export interface SurvivalScene {
  readonly world: SurvivalWorld;
  readonly random: RandomSource;
  /** The game's clock, epoch ms. */
  readonly now: () => number;
  readonly emit: (kind: string, payload: Payload) => void;
  /** Players whose counters changed since the last report. */
  readonly changedTallies: Set<string>;
  /** Returns an id that is unique in this run of the game. */
  readonly nextNetId: () => string;
  readonly deeds: GameEffects;
}
