import { deserialize, serialize } from "node:v8";

import { RandomPickMap } from "./register.ts";
import type { SerialCounters } from "./serials.ts";
import type { ShardWorld } from "./world.ts";

/** A copy of the world that does not change. */
export interface WorldBackup {
  readonly registers: Buffer;
  readonly serials: SerialCounters;
  readonly minted: number;
}

/** Parts of the world that the sidecar stores instead of the game. A crash of the game does not revert them. */
const keptBySidecar: ReadonlySet<string> = new Set(["links"] satisfies (keyof ShardWorld)[]);

type Entries = readonly (readonly [unknown, unknown])[];

/** Saves the parts that the game writes to its disk. */
export function saveWorld(world: ShardWorld): WorldBackup {
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
export function restoreWorld(world: ShardWorld, save: WorldBackup): void {
  const entries = deserialize(save.registers) as ReadonlyMap<string, Entries>;
  for (const [name, register] of registersOf(world)) register.load(entries.get(name) ?? []);
  world.serials.goBackTo(save.serials);
  world.minted = save.minted;
  for (const account of world.links.keys()) {
    if (!world.accounts.has(account)) world.links.delete(account);
  }
}

const registersOf = (world: ShardWorld): [string, RandomPickMap<unknown, unknown>][] =>
  Object.entries(world).filter(
    (field): field is [string, RandomPickMap<unknown, unknown>] =>
      field[1] instanceof RandomPickMap && !keptBySidecar.has(field[0]),
  );
