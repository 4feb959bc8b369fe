import { createHash } from "node:crypto";

import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { Order } from "../../platform/bridge/calls/call.ts";
import { actorOf, type ShardOrder } from "../../shard/staff/commands.ts";
import { redeemCode } from "../calls/server-calls.ts";
import type { SurvivalContext } from "../context.ts";
import type { MintedCode } from "./link-codes.ts";

/** Whose a code is, as the server says that made it. */
export interface Redeemed {
  readonly steamId: string;
  readonly name: string;
}

/** Asks the server that made a code whose it is. @returns why not, where it names nobody */
export async function redeemAtServer(
  code: string,
  minted: MintedCode,
  order: ShardOrder,
  context: SurvivalContext,
): Promise<Redeemed | "unknown" | "silent"> {
  const { serverId } = minted;
  try {
    return await context.survival.call(serverId, (control) =>
      control.command(redeemCode, sentFor(minted, order), { body: { code } }),
    );
  } catch (error) {
    const bridgeCode = error instanceof BridgeError ? error.code : null;
    if (bridgeCode === "NOT_FOUND" || bridgeCode === "INVALID") return "unknown";
    if (bridgeCode === "UNSUPPORTED" || bridgeCode === "DISABLED") return "unknown";
    context.log.warn({ err: error, serverId }, "a server did not answer for a link code");
    return "silent";
  }
}

/**
 * The game answers a repeated order as it did the first time, so a code whose answer was lost can be
 * sent again. Another user's order, and one for another code of the same letters, is another order.
 */
function sentFor({ id }: MintedCode, { caller, requestId }: ShardOrder): Order {
  const parts = JSON.stringify(["steam link", caller.userId, id]);
  const idempotencyKey = createHash("sha256").update(parts).digest("hex");
  return { actor: actorOf(caller), requestId, idempotencyKey };
}
