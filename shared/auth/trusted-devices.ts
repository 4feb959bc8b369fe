import { fn, Op, type Transaction } from "sequelize";

import type { TrustedDevice } from "../../models/auth/trusted-device.ts";
import type { Context } from "../context.ts";
import { hashToken, newToken } from "../crypto/tokens.ts";
import { sqlOf } from "../db/sql.ts";
import { inTransaction } from "../db/transaction.ts";
import { conflict } from "../errors.ts";
import type { Caller } from "./caller.ts";
import type { Client } from "./client.ts";
import { deviceLabel } from "./device-label.ts";
import { recordOwn } from "./own-activity.ts";
import { lockUser } from "./users.ts";

/** What the browser keeps, for a time that no use prolongs. */
export interface TrustToken {
  readonly token: string;
  readonly maxAgeMs: number;
}

/** Whether the browser may skip the second factor of this user now. The user's row is locked. */
export async function useTrustedDevice(
  userId: number,
  { trustToken }: Client,
  transaction: Transaction,
): Promise<boolean> {
  if (trustToken === undefined) return false;
  const { rowCount } = await sqlOf(transaction).query(
    `update trusted_devices set last_used_at = now()
     where token_hash = $1 and user_id = $2 and expires_at > clock_timestamp()`,
    [hashToken(trustToken), userId],
  );
  return rowCount === 1;
}

/**
 * Trusts the browser; one that is trusted already gets a new row for its old one. The user's row
 * is locked, so that the cap holds whatever happens at once.
 * @throws AppError conflict with `trustLimitReached`, when nothing of the request may count
 */
export async function trustDevice(
  userId: number,
  client: Client,
  transaction: Transaction,
  { config }: Context,
): Promise<TrustToken> {
  const sql = sqlOf(transaction);
  const { trustToken, userAgent } = client;
  await sql.query("delete from trusted_devices where user_id = $1 and token_hash = $2", [
    userId,
    hashToken(trustToken ?? ""),
  ]);
  const token = newToken();
  const { rowCount } = await sql.query(
    `insert into trusted_devices (user_id, token_hash, label, expires_at)
     select $1, $2, $3, now() + make_interval(secs => $4)
     where (select count(*) from trusted_devices
            where user_id = $1 and expires_at > clock_timestamp()) < $5`,
    [
      userId,
      hashToken(token),
      deviceLabel(userAgent),
      config.TRUST_DEVICE_TTL / 1000,
      config.TRUST_DEVICE_MAX,
    ],
  );
  if (!rowCount) throw trustLimitReached();
  await recordOwn({ userId, action: "auth.trusted_device.added", client }, transaction);
  return { token, maxAgeMs: config.TRUST_DEVICE_TTL };
}

const trustLimitReached = () =>
  conflict("Too many trusted devices", { extra: { trustLimitReached: true } });

export interface ListedDevice {
  readonly device: TrustedDevice;
  readonly isCurrent: boolean;
}

/** Trusted devices that still are, the latest used first. */
export async function listTrustedDevices(
  userId: number,
  { trustToken }: Client,
  { models }: Context,
): Promise<ListedDevice[]> {
  const current = hashToken(trustToken ?? "");
  const devices = await models.TrustedDevice.findAll({
    where: { userId, expiresAt: { [Op.gt]: fn("now") } },
    order: [
      ["lastUsedAt", "DESC"],
      ["id", "DESC"],
    ],
  });
  return devices.map((device) => ({ device, isCurrent: device.tokenHash.equals(current) }));
}

/** Who takes trust from whom: the user or an administrator. */
export interface Untrust {
  readonly userId: number;
  /** Null: every device of the user. */
  readonly deviceId: number | null;
  /** Puts the act on record, in its transaction. */
  readonly record: (deleted: number, transaction: Transaction) => Promise<void>;
}

/** @returns how many devices were trusted until now */
export function untrustDevices(untrust: Untrust, { sequelize }: Context): Promise<number> {
  const { userId, deviceId, record } = untrust;
  return inTransaction(sequelize, async (transaction) => {
    await lockUser(userId, transaction);
    const { rowCount } = await sqlOf(transaction).query(
      `delete from trusted_devices
       where user_id = $1 and expires_at > now() and ($2::bigint is null or id = $2)`,
      [userId, deviceId],
    );
    const deleted = rowCount ?? 0;
    if (deleted > 0) await record(deleted, transaction);
    return deleted;
  });
}

/** The caller takes trust back. @returns how many devices had it until now */
export function untrustOwnDevices(
  { userId }: Caller,
  deviceId: number | null,
  client: Client,
  context: Context,
): Promise<number> {
  const action = "auth.trusted_device.revoked";
  const record = (deleted: number, transaction: Transaction) =>
    recordOwn({ userId, action, client, detail: { deleted } }, transaction);
  return untrustDevices({ userId, deviceId, record }, context);
}
