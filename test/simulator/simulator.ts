import type { Payload } from "./events/scene.ts";
import type { EmitOptions } from "./game/game.ts";
import { hostSidecar } from "./hosting.ts";
import type { RunningSidecar } from "./hosting.ts";
import { resolveOptions } from "./options.ts";
import type { SimulatorOptions } from "./options.ts";
import { createSidecar } from "./sidecar.ts";
import type { Sidecar } from "./sidecar.ts";
import type { BufferedEvent } from "./stream/event.ts";

/** A simulated shard: a game and its sidecar, which listens on loopback. */
export interface Simulator
  extends
    RunningSidecar,
    Pick<Sidecar, "world" | "game" | "buffer" | "stream" | "received" | "faults" | "effects"> {
  /** Emits an event, as the plugin of the game does. */
  readonly emit: (kind: string, payload: Payload, options?: EmitOptions) => BufferedEvent;
  /** Simulates at least this many events. @returns their number */
  readonly happen: (count: number) => number;
}

/** Starts a simulated shard. Resolves when it listens and its game has booted. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const settings = resolveOptions(options);
  const { sidecar, hosted } = await hostSidecar(settings, (journal, surroundings) =>
    createSidecar(settings, journal, surroundings),
  );
  const { world, game, buffer, stream, received, faults, effects } = sidecar;
  return {
    ...hosted,
    world,
    game,
    buffer,
    stream,
    received,
    faults,
    effects,
    emit: (kind, payload, how) => game.emit(kind, payload, how),
    happen: (count) => game.happen(count),
  };
}
