import type { Transaction } from "sequelize";

import type { FamilyRevocation } from "../../../models/auth/device-session.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { notify } from "../../platform/notify/channels.ts";

export interface Revocation {
  /** Stored with the device sessions: `password`, `logout`, `demotion`. */
  readonly reason: string;
  readonly trustedDevices: boolean;
  /** The caller's own device session, which stays valid; its present tokens end. */
  readonly spared?: number | null;
}

/**
 * Ends everything that lets the user in: sessions, device sessions, challenges, a pending second factor,
 * links begun at providers and optionally trusted devices. It closes open streams. Lock the user's row
 * first, or a sign-in in progress outlives this.
 * @returns the number of ended device sessions
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
  // Only transactions that link an account have a user. Another person may have begun one.
  await SsoTransaction.destroy(ofUser);
  if (trustedDevices) await TrustedDevice.destroy(ofUser);
  await notify("auth_revoked", { userId }, transaction);
  return ended;
}

/**
 * Ends one device session with all its tokens. Lock the user's row first, or a refresh in progress
 * outlives this. @returns false if the user has no such session or it has ended
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
