import { executeStatement, firstRow, rows } from "../../platform/db/rows.ts";
import type { FrameHandlerContext, FrameHandlers } from "../kinds/handler.ts";
import { scheduleDelivery } from "./entitlements.ts";
import {
  countUnclaimedKitsSql,
  endKitSql,
  lockDeliveredKitSql,
  redeemKitSql,
  renewUnclaimedKitsSql,
  selectPendingKitSql,
} from "./kits.sql.ts";

export const kitHandlers: FrameHandlers = {
  // A repeated frame has the same time, so each use is counted once.
  "kit.redeemed": async ({ payload: { entitlementId, at } }, { serverId, connection }) => {
    if (entitlementId === null || entitlementId === undefined) return;
    await executeStatement(connection, redeemKitSql, [entitlementId, serverId, at]);
  },
};

/**
 * Makes unclaimed kits pending again after a wipe, because the kit mod may have lost them. Each delivery adds a
 * ledger entry, so the limit of the ledger also limits the number of these kits.
 */
export async function resetKitsAfterWipe({
  serverId,
  connection,
  context,
  room,
}: FrameHandlerContext): Promise<void> {
  const untaken = await firstRow<{ count: number }>(connection, countUnclaimedKitsSql, [serverId]);
  const most = await room.take("ledger", untaken?.count ?? 0);
  if (most === 0) return;
  await executeStatement(connection, renewUnclaimedKitsSql, [serverId, most]);
  await scheduleDelivery(serverId, context, connection);
}

/** Schedules the delivery of pending kits when the game is back. */
export async function schedulePendingDelivery({
  serverId,
  connection,
  context,
}: FrameHandlerContext): Promise<void> {
  const waiting = await rows(connection, selectPendingKitSql, [serverId]);
  if (waiting.length > 0) await scheduleDelivery(serverId, context, connection);
}

/** Ends a kit that the game removed. After a wipe it is pending again if the ledger has space. */
export async function expireKit(
  { serverId, connection, context, room }: FrameHandlerContext,
  ref: string,
  reason: string,
): Promise<void> {
  const delivered = await rows(connection, lockDeliveredKitSql, [ref, serverId]);
  if (delivered.length === 0) return;
  const isAgain = reason === "wipe" && (await room.take("ledger", 1)) === 1;
  await executeStatement(connection, endKitSql, [ref, serverId, isAgain]);
  if (isAgain) await scheduleDelivery(serverId, context, connection);
}
