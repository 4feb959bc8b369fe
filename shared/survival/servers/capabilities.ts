import type { SurvivalServerState } from "../../../models/survival/survival-server-state.ts";
import type { Capability } from "../kinds/capability.ts";

/** The oldest version of the NPC plugin's interface that takes profiles and placements. */
export const npcApiFloor = 4;

/**
 * Whether a server's plugin said that it cannot do something: then it is not asked to. One that was
 * never heard of may be asked.
 */
export function isIncapable(
  state: Pick<SurvivalServerState, "hello"> | null | undefined,
  capability: Capability,
): boolean {
  const { capabilities: said, npcApi } = state?.hello ?? {};
  if (capability === "npc" && typeof npcApi === "number" && npcApi < npcApiFloor) return true;
  return Array.isArray(said) && !said.includes(capability);
}
