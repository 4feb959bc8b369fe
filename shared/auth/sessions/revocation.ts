import type { Transaction } from "sequelize";

import type { DeviceSessionRevocation } from "../../../models/auth/device-session.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { notify } from "../../platform/notify/channels.ts";

export interface AccessRevocation {
  /** The reason that is stored with the ended device sessions: for example `password`, `logout` or `demotion`. */
  readonly reason: string;
  readonly trustedDevices: boolean;
  /** The caller's own device session, which stays valid. Its present tokens end. */
  readonly spared?: number | null;
}

/**
 * Ends everything that lets the user in: sessions, device sessions, challenges, a pending second factor, linkings
 * begun at a provider and optionally trusted devices. Closes open streams. Lock the user's row first: otherwise a
 * sign-in in progress could create a session afterward.
 * @returns the number of ended device sessions
 */
export async function revokeAllAccess(
  userId: number,
  { reason, trustedDevices, spared = null }: AccessRevocation,
  transaction: Transaction,
): Promise<number> {
  const { User, MobileFamily, AuthChallenge, PendingTotp, SsoTransaction, TrustedDevice } =
    modelsOf(transaction);
  const ofUser = { where: { userId }, transaction };
  await User.cutCredentials(userId, transaction);
  const ended = await MobileFamily.revokeAllOf(userId, { reason, spared }, transaction);
  await AuthChallenge.destroy(ofUser);
  await PendingTotp.destroy(ofUser);
  // Delete the user's SSO transactions. They link identities, and another person may have begun the linking.
  await SsoTransaction.destroy(ofUser);
  if (trustedDevices) await TrustedDevice.destroy(ofUser);
  await notify("auth_revoked", { userId }, transaction);
  return ended;
}

/**
 * Ends one device session with all its tokens. Lock the user's row first: otherwise a refresh in progress
 * could issue new tokens.
 * @returns false if the user has no such session or it has ended
 */
export async function revokeDeviceSession(
  revocation: DeviceSessionRevocation,
  transaction: Transaction,
): Promise<boolean> {
  const { userId, familyId } = revocation;
  const hasEnded = await modelsOf(transaction).MobileFamily.revokeOnce(revocation, transaction);
  if (hasEnded) await notify("auth_revoked", { userId, familyId }, transaction);
  return hasEnded;
}
