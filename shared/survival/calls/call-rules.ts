import type { SurvivalServerState } from "../../../models/survival/survival-server-state.ts";
import { BridgeError, isPossiblyExecuted } from "../../platform/bridge/bridge-error.ts";
import type { CommandActor } from "../../platform/bridge/calls/call.ts";
import type { Context } from "../../platform/context.ts";
import type { Capability } from "../kinds/kind.ts";

/** The oldest interface version of the NPC plugin that accepts profiles and placements. */
export const minNpcApiVersion = 4;

/**
 * True if a server's last hello does not list the capability. For `npc`, also true if the NPC plugin is too
 * old. False before the first hello.
 */
export function lacksCapability(
  state: Pick<SurvivalServerState, "hello"> | null | undefined,
  capability: Capability,
): boolean {
  const { capabilities: said } = state?.hello ?? {};
  if (capability === "npc" && isNpcApiOld(state)) return true;
  return Array.isArray(said) && !said.includes(capability);
}

/** Checks a server's last hello; false for a disabled server, because a call to it fails anyway. */
export async function isKnownToLackCapability(
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
  return lacksCapability(state, capability);
}

/** @throws {BridgeError} UNSUPPORTED if the server's plugin lacks the capability */
export async function requireCapability(
  serverId: number,
  capability: Capability,
  context: Pick<Context, "models">,
): Promise<void> {
  if (!(await isKnownToLackCapability(serverId, capability, context))) return;
  throw new BridgeError("UNSUPPORTED", {
    reason: `the server's plugin does not have the capability ${capability}`,
  });
}

/** True if a server's NPC plugin is too old for profiles and placements. */
export function isNpcApiOld(state: Pick<SurvivalServerState, "hello"> | null | undefined): boolean {
  const { npcApi } = state?.hello ?? {};
  return typeof npcApi === "number" && npcApi < minNpcApiVersion;
}

/** True if the game may have executed a failed command. False for the answer `SHARD_DOWN`. */
export const isPossiblyDelivered = (error: BridgeError): boolean =>
  isPossiblyExecuted(error) && !(error.code === "SHARD_DOWN" && error.answered !== undefined);

/** The actor of automatic changes to survival servers. */
export const systemActor: CommandActor = { userId: null, username: "system", role: "system" };
