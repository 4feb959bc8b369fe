import type { SurvivalServerState } from "../../../models/survival/survival-server-state.ts";
import { BridgeError, mayBeDone } from "../../platform/bridge/bridge-error.ts";
import type { Actor } from "../../platform/bridge/calls/call.ts";
import type { Context } from "../../platform/context.ts";
import type { Capability } from "../kinds/kind.ts";

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

/** The same of a server by its id. Of one that is off nothing is said: it cannot be asked anyway. */
export async function isKnownIncapable(
  serverId: number,
  capability: Capability,
  { models }: Pick<Context, "models">,
): Promise<boolean> {
  const state = await models.SurvivalServerState.findOne({
    where: { serverId },
    attributes: ["hello"],
    include: [{ association: "server", where: { enabled: true }, attributes: [] }],
    raw: true,
  });
  return isIncapable(state, capability);
}

/** @throws {BridgeError} UNSUPPORTED for what a server's plugin said that it cannot do */
export async function refuseIncapable(
  serverId: number,
  capability: Capability,
  context: Pick<Context, "models">,
): Promise<void> {
  if (!(await isKnownIncapable(serverId, capability, context))) return;
  throw new BridgeError("UNSUPPORTED", { reason: `its plugin does not know ${capability}` });
}

/** Whether a server has an NPC plugin that is too old for profiles and placements. */
export function isNpcApiOld(state: Pick<SurvivalServerState, "hello"> | null | undefined): boolean {
  const { npcApi } = state?.hello ?? {};
  return typeof npcApi === "number" && npcApi < npcApiFloor;
}

/**
 * Whether nobody knows if a command was carried out. The sidecar of a survival server says of a game
 * that is away that it is, and hands a command on to none: that is an answer.
 */
export const mayHaveArrived = (error: BridgeError): boolean =>
  mayBeDone(error) && !(error.code === "SHARD_DOWN" && error.answered !== undefined);

/** What the site does by itself to survival servers: nobody's session is behind it. */
export const systemActor: Actor = { userId: null, username: "system", role: "system" };
