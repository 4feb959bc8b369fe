import { deserialize, serialize } from "node:v8";

import { Register } from "./register.ts";
import type { SerialCounters } from "./serials.ts";
import type { World } from "./world.ts";

/** A copy of the world that does not change. */
export interface Save {
  readonly registers: Buffer;
  readonly serials: SerialCounters;
  readonly minted: number;
}

/** Parts of the world that the sidecar stores instead of the game. A crash of the game does not revert them. */
const keptBySidecar: ReadonlySet<string> = new Set(["links"] satisfies (keyof World)[]);

type Entries = readonly (readonly [unknown, unknown])[];

/** Saves the parts that the game writes to its disk. */
export function saveWorld(world: World): Save {
  // Serialize all parts at once. Then several references to a character still refer to one object.
  const entries = new Map(registersOf(world).map(([name, one]) => [name, one.entries()]));
  return {
    registers: serialize(entries),
    serials: world.serials.counters,
    minted: world.minted,
  };
}

/**
 * Restores a saved world. Names and serials that were assigned since the save are assigned again.
 * Links of accounts that vanish are removed.
 */
export function rollBack(world: World, save: Save): void {
  const entries = deserialize(save.registers) as ReadonlyMap<string, Entries>;
  for (const [name, register] of registersOf(world)) register.load(entries.get(name) ?? []);
  world.serials.goBackTo(save.serials);
  world.minted = save.minted;
  for (const account of world.links.keys()) {
    if (!world.accounts.has(account)) world.links.delete(account);
  }
}

const registersOf = (world: World): [string, Register<unknown, unknown>][] =>
  Object.entries(world).filter(
    (field): field is [string, Register<unknown, unknown>] =>
      field[1] instanceof Register && !keptBySidecar.has(field[0]),
  );
