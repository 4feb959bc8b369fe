import { deserialize, serialize } from "node:v8";

import { Register } from "./register.ts";
import type { SerialCounters } from "./serials.ts";
import type { World } from "./world.ts";

/** The world as it was once, in a form that nothing changes any more. */
export interface Save {
  readonly registers: Buffer;
  readonly serials: SerialCounters;
  readonly minted: number;
}

/** The sidecar keeps the links, so no crash of the game takes them back. */
const keptBySidecar: ReadonlySet<string> = new Set(["links"] satisfies (keyof World)[]);

type Entries = readonly (readonly [unknown, unknown])[];

/** Everything that the game writes to its disk. */
export function saveWorld(world: World): Save {
  // One text for all of them, so that a character is the same one wherever it stands.
  const entries = new Map(registersOf(world).map(([name, one]) => [name, one.entries()]));
  return {
    registers: serialize(entries),
    serials: world.serials.counters,
    minted: world.minted,
  };
}

/**
 * The world as it was saved, and nothing of what came since: names and serials that were given away
 * come again. Links of accounts that are no more go with them.
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
