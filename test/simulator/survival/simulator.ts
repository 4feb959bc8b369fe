import { hostSidecar } from "../hosting.ts";
import type { Hosted } from "../hosting.ts";
import type { BufferedEvent, Payload } from "../stream/event.ts";
import type { SurvivalEmitOptions } from "./game/game.ts";
import { settleSurvival, survivalProtocol } from "./options.ts";
import type { SurvivalOptions } from "./options.ts";
import { createSurvivalSidecar } from "./sidecar.ts";
import type { SurvivalSidecar } from "./sidecar.ts";
import { performTurn } from "./turns.ts";
import type { Turn } from "./turns.ts";

/** The sidecar of a survival server with its game, listening on loopback. */
export interface SurvivalSimulator
  extends
    Hosted,
    Pick<
      SurvivalSidecar,
      "world" | "game" | "buffer" | "stream" | "received" | "faults" | "effects" | "deeds"
    > {
  readonly protocol: number;
  /** One event as the game's plugin would send it. */
  readonly emit: (kind: string, payload: Payload, options?: SurvivalEmitOptions) => BufferedEvent;
  /** Lets things happen now; how many events came of it. */
  readonly happen: (count: number) => number;
  /** Somebody in the game does something; what `POST /sim/turns` takes. */
  readonly turn: (turn: Turn) => unknown;
  /** Does what the plugin does by its clock, as far as it is due now. */
  readonly tick: () => void;
}

/** Starts a simulator; it listens, and its game has booted, when the promise is kept. */
export async function startSurvivalSimulator(
  options: SurvivalOptions = {},
): Promise<SurvivalSimulator> {
  const settings = settleSurvival(options);
  const { sidecar, hosted } = await hostSidecar(settings, (journal, surroundings) =>
    createSurvivalSidecar(settings, journal, surroundings),
  );
  const { world, game, buffer, stream, received, faults, effects, deeds } = sidecar;
  return {
    ...hosted,
    protocol: survivalProtocol,
    world,
    game,
    buffer,
    stream,
    received,
    faults,
    effects,
    deeds,
    emit: (kind, payload, how) => game.emit(kind, payload, how),
    happen: (count) => game.happen(count),
    turn: (turn) => performTurn(game, turn),
    tick: () => game.tick(),
  };
}
