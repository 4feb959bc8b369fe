import { setTimeout as sleep } from "node:timers/promises";

import type { RandomSource } from "../simulator/random.ts";
import type { History } from "./history.ts";

/** Injects a fault. Resolves when everything that it stopped runs again. */
export type FaultInjection<Scene> = (scene: Scene) => Promise<void>;

interface Rounds<Scene> {
  readonly strikes: Readonly<Record<string, FaultInjection<Scene>>>;
  readonly rounds: number;
}

/** Applies each fault once per round, in an order drawn from the seed. */
export async function injectFaultsInRounds<
  Scene extends { readonly random: RandomSource; readonly history: History },
>(scene: Scene, { strikes, rounds }: Rounds<Scene>): Promise<void> {
  const { random, history } = scene;
  for (let round = 0; round < rounds; round++) {
    for (const [name, strike] of shuffleList(Object.entries(strikes), random)) {
      history.note(name);
      await strike(scene);
      history.note(`${name}, over`);
      await sleep(random.int(100, 1_200));
    }
  }
}

export function shuffleList<T>(list: readonly T[], random: RandomSource): T[] {
  const drawn = list.map((item) => ({ item, place: random.next() }));
  return drawn.toSorted((one, other) => one.place - other.place).map(({ item }) => item);
}
