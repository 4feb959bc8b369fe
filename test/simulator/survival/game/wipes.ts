import { createClanDatabase } from "../world/clans.ts";
import { makeSave } from "../world/world.ts";
import type { SavedWorld, SurvivalWorld } from "../world/world.ts";

export const blueprintFates = ["kept", "wiped", "unknown"] as const;

export interface Wipe {
  readonly blueprints: (typeof blueprintFates)[number];
  /** True if a new save format makes the wipe necessary. */
  readonly forced: boolean;
}

/**
 * Creates a new world. A wipe of blueprints also resets the kit mod and the clans. The ids of clans
 * then begin at 1 again.
 */
export function wipeWorld(
  world: SurvivalWorld,
  now: number,
  { blueprints, forced }: Wipe,
): SavedWorld {
  const before = world.save;
  const saveId = Math.max(now, ...[...world.saves.keys()].map((one) => one + 1));
  const save = makeSave({
    seed: `${world.seed}/${saveId}`,
    saveId,
    sizes: world.sizes,
    protocol: before.protocol + (forced ? 1 : 0),
    clans: blueprints === "wiped" ? createClanDatabase() : before.clans,
  });
  world.saves.set(saveId, save);
  if (blueprints === "wiped") world.entitlements.clear();
  return save;
}

/** Creates a backup that is older than all known saves. */
export function olderSave(world: SurvivalWorld): SavedWorld {
  const oldest = Math.min(...world.saves.keys());
  const saveId = oldest - 86_400_000;
  const { seed, sizes, save } = world;
  const facts = { seed: `${seed}/${saveId}`, saveId, sizes, protocol: save.protocol };
  const older = makeSave({ ...facts, clans: createClanDatabase() });
  world.saves.set(saveId, older);
  return older;
}

/** Loads a save. The clans in the save determine each player's clan. */
export function loadSave(world: SurvivalWorld, save: SavedWorld): void {
  world.save = save;
  for (const player of world.players.values()) {
    player.clanId = null;
    player.sleeping = false;
  }
  for (const clan of save.clans.clans.values()) {
    for (const steamId of clan.members.keys()) {
      const player = world.players.get(steamId);
      if (player !== undefined) player.clanId = clan.clanId;
    }
  }
}
