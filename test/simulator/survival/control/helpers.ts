import { refuse } from "../../control/refusal.ts";
import type { HelperPluginId } from "../world/plugins.ts";
import type { SurvivalHost } from "./route.ts";

/** Refuses a call with 422 and the helper's name if the helper mod is not loaded. */
export function needHelper({ world }: Pick<SurvivalHost, "world">, helper: HelperPluginId): void {
  const loaded = [...world.plugins.values()].some((one) => one.helperId === helper && one.loaded);
  if (!loaded) throw refuse(422, "UNSUPPORTED", { helper });
}

export const npcApiFloor = 4;

/** Refuses with 422 if the NPC plugin is missing or too old for profiles and placements. */
export function needNpcs(host: Pick<SurvivalHost, "world">): void {
  needHelper(host, "npcs");
  if (host.world.npcApi < npcApiFloor) {
    throw refuse(422, "UNSUPPORTED", { helper: "npcs", npcApi: host.world.npcApi });
  }
}
