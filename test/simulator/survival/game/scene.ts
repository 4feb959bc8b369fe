import type { Random } from "../../random.ts";
import type { Payload } from "../../stream/event.ts";
import type { Deeds } from "../deeds.ts";
import type { SurvivalWorld } from "../world/world.ts";

/** Where something happens: the world it changes and the way it is told. */
export interface SurvivalScene {
  readonly world: SurvivalWorld;
  readonly random: Random;
  /** The game's clock, epoch ms. */
  readonly now: () => number;
  readonly emit: (kind: string, payload: Payload) => void;
  /** Whose counters have changed since they were last told. */
  readonly changedTallies: Set<string>;
  /** A number that names something of this run of the game alone. */
  readonly nextNetId: () => string;
  readonly deeds: Deeds;
}
