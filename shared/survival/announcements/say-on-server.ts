import type { BridgeCode } from "../../platform/bridge/bridge-error.ts";
import type { Order } from "../../platform/bridge/calls/call.ts";
import { sendAnnouncement } from "../calls/server-calls.ts";
import type { SurvivalContext } from "../context.ts";
import { storedVoice } from "../voice/stored-voice.ts";

export type Unsent = "offline" | "unsupported";

/**
 * Has one game server tell a message to its players in the site's voice; until somebody has set one,
 * the server speaks in its own. @throws {BridgeError} without a good answer
 */
export async function sayOnServer(
  serverId: number,
  message: string,
  order: Order,
  { survival, models }: Pick<SurvivalContext, "survival" | "models">,
): Promise<void> {
  const body = { message, voice: await storedVoice(models), channel: "chat" } as const;
  await survival.call(serverId, (control) => control.command(sendAnnouncement, order, { body }));
}

/** The answers of a server that is off, or cannot say it. */
export const unsentBy: { readonly [Code in BridgeCode]?: Unsent } = {
  SHARD_DOWN: "offline",
  UNSUPPORTED: "unsupported",
  DISABLED: "unsupported",
};
