import type { SurvivalZoneLease } from "../../../models/survival/survival-zone-lease.ts";
import { BridgeError } from "../../bridge/bridge-error.ts";
import type { Order } from "../../bridge/call.ts";
import type { Context } from "../../context.ts";
import { closeZoneCall } from "../calls/zone-calls.ts";
import { moveLease } from "./move-lease.ts";

/**
 * Has the game erase a zone. One that it does not know any more is closed as well.
 * @throws {BridgeError} when there is no good answer
 */
export async function closeInGame(
  { leaseId, serverId }: Pick<SurvivalZoneLease, "leaseId" | "serverId">,
  order: Order,
  { survival, sequelize }: Pick<Context, "survival" | "sequelize">,
): Promise<void> {
  try {
    await survival.call(serverId, (control) =>
      control.command(
        closeZoneCall,
        { ...order, idempotencyKey: `${leaseId}/close` },
        { params: { leaseId } },
      ),
    );
  } catch (error) {
    if (!(error instanceof BridgeError) || error.code !== "NOT_FOUND") throw error;
  }
  const closed = { from: ["closing"], to: "closed", ledger: "withdrawn" } as const;
  await moveLease(leaseId, closed, sequelize);
}
