import type { Transaction } from "sequelize";

import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { inAdminSet, toUser } from "../admins/admin-set.ts";
import { tellUser } from "../mail/order-mail.ts";
import { removeSecondFactor } from "../second-factor/totp-enrolment.ts";
import { untrustDevices } from "../second-factor/trusted-devices.ts";
import { lockUser } from "../users/users.ts";
import { changedAtMe, recordChange } from "./user-admin.ts";

/**
 * An administrator removes a user's second factor, when phone and recovery codes are lost.
 * @throws AppError own_account for the actor's own
 */
export function resetMfa(userId: number, actor: Caller, context: Context): Promise<void> {
  return toUser(userId, actor, context, async ({ totpEnabled }, transaction) => {
    if (userId === actor.userId) throw changedAtMe("second factor", "totp/disable");
    await removeSecondFactor(userId, transaction);
    const change = { userId, actorId: actor.userId, action: "auth.mfa.reset" };
    await recordChange(change, { totp_enabled: totpEnabled }, transaction);
    if (totpEnabled) await tellUser(userId, "totpDisabled", transaction, context);
  });
}

/** @returns whether the device was trusted until now */
export async function untrustUserDevice(
  device: { readonly userId: number; readonly deviceId: number },
  actor: Caller,
  context: Context,
): Promise<boolean> {
  const { userId, deviceId } = device;
  const target = { type: "user", id: userId };
  const line = { actor, action: "auth.trusted_device.revoked", target, detail: { deviceId } };
  const record = (_count: number, transaction: Transaction) => recordActivity(line, transaction);
  const deleted = await inAdminSet(actor, context, async (transaction) => {
    await lockUser(userId, transaction);
    return untrustDevices({ userId, deviceId, record }, transaction);
  });
  return deleted > 0;
}
