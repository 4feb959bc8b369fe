import type { Transaction } from "sequelize";

import { sqlOf } from "../db/sql.ts";
import { notify } from "../notify/notify.ts";

/**
 * Ends every token issued to the user so far. The cut-off is the database's clock in whole
 * seconds and always rises, so that two cuts within one second both cut.
 */
export async function cutTokens(userId: number, transaction: Transaction): Promise<void> {
  await sqlOf(transaction).query(
    `update users set updated_at = now(), tokens_valid_after =
       greatest(floor(extract(epoch from clock_timestamp()))::bigint, tokens_valid_after + 1)
     where id = $1`,
    [userId],
  );
}

export interface Revocation {
  /** What the device sessions end for: `password`, `logout`, `demotion`. */
  readonly reason: string;
  readonly trustedDevices: boolean;
}

/**
 * Ends everything the user could still come in by: sessions, device sessions, challenges, a
 * second factor not yet confirmed and, when asked, trusted devices. Open streams close.
 * @returns how many device sessions lived until now
 */
export async function revokeAll(
  userId: number,
  { reason, trustedDevices }: Revocation,
  transaction: Transaction,
): Promise<number> {
  const sql = sqlOf(transaction);
  await cutTokens(userId, transaction);
  const { rowCount } = await sql.query(
    `update mobile_families set revoked_at = now(), revoke_reason = $2
     where user_id = $1 and revoked_at is null and expires_at > clock_timestamp()`,
    [userId, reason],
  );
  await sql.query("delete from auth_challenges where user_id = $1", [userId]);
  await sql.query("delete from totp_pending where user_id = $1", [userId]);
  if (trustedDevices) await sql.query("delete from trusted_devices where user_id = $1", [userId]);
  await notify("auth_revoked", { userId }, transaction);
  return rowCount ?? 0;
}

export interface FamilyRevocation {
  readonly userId: number;
  readonly familyId: number;
  readonly reason: string;
}

/**
 * Ends one device session with all its tokens. The user's row is to be locked before, or a
 * refresh under way would outlive it.
 * @returns false when there is no such session of this user, or it has ended already
 */
export async function revokeFamily(
  { userId, familyId, reason }: FamilyRevocation,
  transaction: Transaction,
): Promise<boolean> {
  const { rowCount } = await sqlOf(transaction).query(
    `update mobile_families set revoked_at = now(), revoke_reason = $3
     where id = $1::bigint and user_id = $2 and revoked_at is null
       and expires_at > clock_timestamp()`,
    [familyId, userId, reason],
  );
  if (!rowCount) return false;
  await notify("auth_revoked", { userId, familyId }, transaction);
  return true;
}
