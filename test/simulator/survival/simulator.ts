import { hostSidecar } from "../hosting.ts";
import type { RunningSidecar } from "../hosting.ts";
import type { BufferedEvent, Payload } from "../stream/event.ts";
import type { SurvivalEmitOptions } from "./game/game.ts";
import { resolveSurvivalOptions, survivalProtocol } from "./options.ts";
import type { SurvivalOptions } from "./options.ts";
import { createSurvivalSidecar } from "./sidecar.ts";
import type { SurvivalSidecar } from "./sidecar.ts";
import { performPlayerAction } from "./turns.ts";
import type { PlayerAction } from "./turns.ts";

/** A simulated survival server: a game and its sidecar, which listens on loopback. */
export interface SurvivalSimulator
  extends
    RunningSidecar,
    Pick<
      SurvivalSidecar,
      "world" | "game" | "buffer" | "stream" | "received" | "faults" | "effects" | "deeds"
    > {
  readonly protocol: number;
  /** Emits an event, as the plugin of the game does. */
  readonly emit: (kind: string, payload: Payload, options?: SurvivalEmitOptions) => BufferedEvent;
  /** Simulates at least this many events. @returns their number */
  readonly happen: (count: number) => number;
  /** Performs an action of a player. The argument is a body of `POST /sim/turns`. */
  readonly turn: (turn: PlayerAction) => unknown;
  /** Does the timed work of the plugin that is due. */
  readonly tick: () => void;
}

/** Starts a simulated survival server. Resolves when it listens and its game has booted. */
export async function startSurvivalSimulator(
  options: SurvivalOptions = {},
): Promise<SurvivalSimulator> {
  const settings = resolveSurvivalOptions(options);
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
    turn: (turn) => performPlayerAction(game, turn),
    tick: () => game.tick(),
  };
}
