import type { SimulationContext } from "../events/scene.ts";
import type { ActiveShardFaults } from "../faults/shard-standing.ts";
import type { Game } from "../game/game.ts";
import type { Resync } from "../game/resync.ts";
import type { Assets } from "../sources/assets.ts";
import type { Atlas } from "../sources/atlas.ts";
import type { Cliloc } from "../sources/clilocs.ts";
import type { PagedSource } from "../sources/source.ts";
import type { ShardWorld } from "../world/world.ts";
import type { PlainCall, PlaneRoute } from "./plane-route.ts";
import type { ControlAnswer } from "./refusal.ts";

export { readPathParam } from "./plane-route.ts";

/** The parts of a shard that its control plane uses. */
export interface Shard {
  readonly world: ShardWorld;
  readonly game: Game;
  readonly standing: ActiveShardFaults;
  readonly resync: Resync;
  readonly protocol: number;
  readonly clilocs: PagedSource<Cliloc>;
  readonly assets: Assets;
  readonly atlas: Atlas;
  readonly clock: () => number;
}

/** A call, with the scene: the context in which the call acts in the game. */
export interface ShardCall extends PlainCall {
  readonly scene: SimulationContext;
}

export type ControlRoute = PlaneRoute<Shard>;

type InScene = (call: ShardCall, shard: Shard) => ControlAnswer;

/**
 * Wraps a route that acts in the game. Its scene has random numbers of its own, so that calls do not change later
 * simulated events.
 */
const inScene =
  (answer: InScene): ControlRoute["answer"] =>
  (call, shard) =>
    answer({ ...call, scene: shard.game.commandScene() }, shard);

export const read = (
  method: "GET" | "POST",
  path: string,
  since: 7 | 8,
  answer: InScene,
): ControlRoute => ({ method, path, since, nature: "read", answer: inScene(answer) });

export const command = (
  method: "POST" | "PUT" | "DELETE",
  path: string,
  since: 7 | 8,
  answer: InScene,
): ControlRoute => ({ method, path, since, nature: "command", answer: inScene(answer) });
