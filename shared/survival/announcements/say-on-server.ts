import type { BridgeCode } from "../../bridge/bridge-error.ts";
import type { Order } from "../../bridge/call.ts";
import type { Context } from "../../context.ts";
import { sendAnnouncement } from "../calls/server-calls.ts";

export type Unsent = "offline" | "unsupported";

/** Has one game server tell a message to its players. @throws {BridgeError} without a good answer */
export async function sayOnServer(
  serverId: number,
  message: string,
  order: Order,
  { survival }: Pick<Context, "survival">,
): Promise<void> {
  const body = { message, voice: null, channel: "chat" } as const;
  await survival.call(serverId, (control) => control.command(sendAnnouncement, order, { body }));
}

/** The answers of a server that is off, or cannot say it. */
export const unsentBy: { readonly [Code in BridgeCode]?: Unsent } = {
  SHARD_DOWN: "offline",
  UNSUPPORTED: "unsupported",
  DISABLED: "unsupported",
};
