import type { SurvivalZoneLease } from "../../../models/survival/survival-zone-lease.ts";
import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { Order } from "../../platform/bridge/calls/call.ts";
import type { Context } from "../../platform/context.ts";
import { closeZoneCall } from "../calls/zone-calls.ts";
import type { SurvivalContext } from "../context.ts";
import { moveLease } from "./move-lease.ts";

/**
 * Has the game erase a zone. One that it does not know any more is closed as well, or has expired
 * where the game was not asked in time to hold it longer.
 * @throws {BridgeError} when there is no good answer
 */
export async function closeInGame(
  { leaseId, serverId }: Pick<SurvivalZoneLease, "leaseId" | "serverId">,
  order: Order,
  { survival, sequelize, models }: Pick<SurvivalContext, "survival" | "sequelize" | "models">,
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
    if (await endAsLapsed(leaseId, { sequelize, models })) return;
  }
  const closed = { from: ["closing"], to: "closed", ledger: "withdrawn" } as const;
  await moveLease(leaseId, closed, sequelize);
}

/** @returns whether the game has ended the zone by itself before it was asked to */
async function endAsLapsed(
  leaseId: string,
  { sequelize, models }: Pick<Context, "sequelize" | "models">,
): Promise<boolean> {
  const lapsed = await models.SurvivalZoneLease.scope("lapsed").findOne({
    where: { leaseId },
    attributes: ["heldUntil"],
  });
  if (!lapsed) return false;
  const ended = { reason: "timeout", at: lapsed.heldUntil.valueOf() };
  const expired = { from: ["closing"], to: "expired", ledger: "expired", ...ended } as const;
  await moveLease(leaseId, expired, sequelize);
  return true;
}
