import type { PlainCall, PlaneRoute } from "../../control/plane-route.ts";
import type { ControlAnswer } from "../../control/refusal.ts";
import type { GameEffects } from "../deeds.ts";
import type { SurvivalFaults } from "../faults/standing.ts";
import type { Family } from "../game/families.ts";
import type { SurvivalGame } from "../game/game.ts";
import type { SurvivalWorld } from "../world/world.ts";

/** The parts of a survival server that its control plane uses. */
export interface SurvivalHost {
  readonly world: SurvivalWorld;
  readonly game: SurvivalGame;
  readonly standing: SurvivalFaults;
  readonly protocol: number;
  readonly clock: () => number;
  readonly resync: { readonly ask: (families: readonly Family[]) => void };
  readonly deeds: GameEffects;
  readonly reloadMs: number;
}

export { readPathParam } from "../../control/plane-route.ts";

export type SurvivalControlCall = PlainCall;
export type SurvivalRoute = PlaneRoute<SurvivalHost>;

type Answering = (call: SurvivalControlCall, host: SurvivalHost) => ControlAnswer;

const since = 13;

export const defineReadRoute = (path: string, answer: Answering): SurvivalRoute => ({
  method: "GET",
  path,
  since,
  nature: "read",
  answer,
});

export const command = (
  method: "POST" | "PUT" | "DELETE",
  path: string,
  answer: Answering,
): SurvivalRoute => ({ method, path, since, nature: "command", answer });

/** Defines a route that may have a key and an actor, but changes nothing in the game. */
export const defineRequestRoute = (path: string, answer: Answering): SurvivalRoute => ({
  method: "POST",
  path,
  since,
  nature: "request",
  answer,
});
