import type { Context } from "../context.ts";
import { inTransaction } from "../db/transaction.ts";
import { lockForAdmin } from "./admin-set.ts";
import { tellUser } from "./order-mail.ts";
import { removeSecondFactor } from "./totp-enrolment.ts";
import { untrustDevices } from "./trusted-devices.ts";
import { recordChange } from "./user-admin.ts";

/** An administrator takes a user's second factor away: for whoever lost the phone and the codes. */
export function resetMfa(userId: number, actorId: number, context: Context): Promise<void> {
  return inTransaction(context.sequelize, async (transaction) => {
    const { totpEnabled } = await lockForAdmin(userId, actorId, transaction);
    await removeSecondFactor(userId, transaction);
    const change = { userId, actorId, action: "auth.mfa.reset" };
    await recordChange(change, { totp_enabled: totpEnabled }, transaction);
    if (totpEnabled) await tellUser(userId, "totpDisabled", transaction, context);
  });
}

/** @returns whether the device was trusted until now */
export async function untrustUserDevice(
  device: { readonly userId: number; readonly deviceId: number },
  actorId: number,
  context: Context,
): Promise<boolean> {
  const { userId, deviceId } = device;
  const change = { userId, actorId, action: "auth.trusted_device.revoked" };
  const deleted = await untrustDevices(
    {
      userId,
      deviceId,
      record: (_count, transaction) => recordChange(change, { deviceId }, transaction),
    },
    context,
  );
  return deleted > 0;
}
