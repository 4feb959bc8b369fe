import { callControl } from "../client.ts";
import type { SimulatorAnswer } from "../client.ts";
import type { BufferedEvent } from "../stream/event.ts";
import type { SurvivalSimulator } from "./simulator.ts";
import type { Player } from "./world/players.ts";

/** Functions for the tests of the survival simulator. */

export const kindsOf = (events: readonly BufferedEvent[]): string[] =>
  events.map(({ kind }) => kind);

export function findPlayerByIndex({ world }: SurvivalSimulator, index: number): Player {
  const player = [...world.players.values()][index];
  if (player === undefined) throw new Error(`no player ${index}`);
  return player;
}

export function lastOf({ buffer }: SurvivalSimulator, kind: string): BufferedEvent {
  const event = buffer.log.findLast((one) => one.kind === kind);
  if (event === undefined) throw new Error(`no ${kind}`);
  return event;
}

/**
 * Resolves when the next event of this kind is in the buffer. Call it before you cause the event.
 */
export const waitForNextEvent = ({ buffer }: SurvivalSimulator, kind: string): Promise<void> =>
  new Promise((resolve) => {
    buffer.onAppend(() => {
      if (buffer.log.at(-1)?.kind === kind) resolve();
    });
  });

type Body = Readonly<Record<string, unknown>>;

export const post = (
  simulator: SurvivalSimulator,
  path: string,
  body: Body = {},
  key?: string,
): Promise<SimulatorAnswer> =>
  callControl(simulator, "POST", path, { body, ...(key === undefined ? {} : { key }) });

export const put = (
  simulator: SurvivalSimulator,
  path: string,
  body: Body,
  key?: string,
): Promise<SimulatorAnswer> =>
  callControl(simulator, "PUT", path, { body, ...(key === undefined ? {} : { key }) });

export const getControlRoute = (
  simulator: SurvivalSimulator,
  path: string,
): Promise<SimulatorAnswer> => callControl(simulator, "GET", path);

/** Counts the effects of a kind, by their object. */
export const timesOf = ({ deeds }: SurvivalSimulator, what: string): Record<string, number> =>
  Object.fromEntries(deeds.of(what).map(({ ref, times }) => [ref, times]));
