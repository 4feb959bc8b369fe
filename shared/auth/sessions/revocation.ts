import type { Transaction } from "sequelize";

import type { FamilyRevocation } from "../../../models/auth/mobile-family.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { notify } from "../../platform/notify/channels.ts";

export interface Revocation {
  /** What the device sessions end for: `password`, `logout`, `demotion`. */
  readonly reason: string;
  readonly trustedDevices: boolean;
  /** The caller's own device session, which goes on; its tokens so far end with the others. */
  readonly spared?: number | null;
}

/**
 * Ends everything that lets the user in: sessions, device sessions, challenges, a second factor not
 * yet confirmed, links begun at providers and, when asked, trusted devices. Open streams close. Lock the user's row before, or
 * a sign-in that is under way outlives this.
 * @returns how many device sessions ended
 */
export async function revokeAll(
  userId: number,
  { reason, trustedDevices, spared = null }: Revocation,
  transaction: Transaction,
): Promise<number> {
  const { User, MobileFamily, AuthChallenge, PendingTotp, SsoTransaction, TrustedDevice } =
    modelsOf(transaction);
  const ofUser = { where: { userId }, transaction };
  await User.cutCredentials(userId, transaction);
  const ended = await MobileFamily.revokeAllOf(userId, { reason, spared }, transaction);
  await AuthChallenge.destroy(ofUser);
  await PendingTotp.destroy(ofUser);
  // Links alone have a user: who began one may not be who has the session that goes on.
  await SsoTransaction.destroy(ofUser);
  if (trustedDevices) await TrustedDevice.destroy(ofUser);
  await notify("auth_revoked", { userId }, transaction);
  return ended;
}

/**
 * Ends one device session with all its tokens. Lock the user's row before, or a refresh that is
 * under way outlives this.
 * @returns false when there is no such session of this user, or it has ended already
 */
export async function revokeFamily(
  revocation: FamilyRevocation,
  transaction: Transaction,
): Promise<boolean> {
  const { userId, familyId } = revocation;
  const hasEnded = await modelsOf(transaction).MobileFamily.revokeOnce(revocation, transaction);
  if (hasEnded) await notify("auth_revoked", { userId, familyId }, transaction);
  return hasEnded;
}
