import { deserialize, serialize } from "node:v8";

import { Register } from "./register.ts";
import type { SerialCounters } from "./serials.ts";
import type { World } from "./world.ts";

/** An immutable snapshot of the world. */
export interface Save {
  readonly registers: Buffer;
  readonly serials: SerialCounters;
  readonly minted: number;
}

/** The sidecar keeps the links, so a crash of the game does not revert them. */
const keptBySidecar: ReadonlySet<string> = new Set(["links"] satisfies (keyof World)[]);

type Entries = readonly (readonly [unknown, unknown])[];

/** Saves the data that the game writes to its disk. */
export function saveWorld(world: World): Save {
  // Serialized together, so that references to a character stay shared.
  const entries = new Map(registersOf(world).map(([name, one]) => [name, one.entries()]));
  return {
    registers: serialize(entries),
    serials: world.serials.counters,
    minted: world.minted,
  };
}

/**
 * Restores a saved world. Names and serials assigned since then are assigned again. Links of vanished
 * accounts are removed.
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
