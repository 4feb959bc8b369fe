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
  const { capabilities: said } = state?.hello ?? {};
  if (capability === "npc" && isNpcApiOld(state)) return true;
  return Array.isArray(said) && !said.includes(capability);
}

/** Whether a server has an NPC plugin that is too old for profiles and placements. */
export function isNpcApiOld(state: Pick<SurvivalServerState, "hello"> | null | undefined): boolean {
  const { npcApi } = state?.hello ?? {};
  return typeof npcApi === "number" && npcApi < npcApiFloor;
}
