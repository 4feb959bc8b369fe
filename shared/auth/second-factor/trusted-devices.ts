import type { Transaction } from "sequelize";

import type { TrustedDevice } from "../../../models/auth/trusted-device.ts";
import { transactionStartPlus } from "../../../models/queries/clock.ts";
import type { Caller, SignInClient } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { hashToken, generateToken } from "../../platform/crypto/tokens.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors/errors.ts";
import type { AuthorizedUser } from "../sessions/authorized-user.ts";
import { lockCaller } from "../sessions/lock-caller.ts";
import { recordOwnActivity } from "../users/own-activity.ts";

/** The token of a trusted browser. Its lifetime is not extended by use. */
export interface TrustToken {
  readonly token: string;
  readonly maxAgeMs: number;
}

/** Returns true if the browser is trusted, so this user needs no second factor. */
export async function checkTrustedDevice(
  { user, transaction }: AuthorizedUser,
  { trustToken }: SignInClient,
  { models }: Context,
): Promise<boolean> {
  if (trustToken === undefined) return false;
  return models.TrustedDevice.use(hashToken(trustToken), user.id, transaction);
}

/**
 * Trusts the browser and replaces its former row. The user's row is locked, so concurrent requests cannot exceed
 * the limit.
 * @throws AppError conflict with `trustLimitError`; the caller must then roll the transaction back
 */
export async function trustDevice(
  { user: { id: userId }, transaction }: AuthorizedUser,
  client: SignInClient,
  { config, models: { TrustedDevice } }: Context,
): Promise<TrustToken> {
  const { trustToken, userAgent } = client;
  const formerHash = hashToken(trustToken ?? "");
  await TrustedDevice.destroy({ where: { userId, tokenHash: formerHash }, transaction });
  const trustedCount = await TrustedDevice.scope("live").count({ where: { userId }, transaction });
  if (trustedCount >= config.TRUST_DEVICE_MAX) throw trustLimitError();
  const token = generateToken();
  const expiresAt = transactionStartPlus(config.TRUST_DEVICE_TTL);
  const label = deviceLabel(userAgent);
  await TrustedDevice.create(
    { userId, tokenHash: hashToken(token), label, expiresAt },
    { transaction },
  );
  await recordOwnActivity({ userId, action: "auth.trusted_device.added", client }, transaction);
  return { token, maxAgeMs: config.TRUST_DEVICE_TTL };
}

const trustLimitError = () =>
  new AppError("trust_limit_reached", "Too many trusted devices", {
    extra: { trustLimitReached: true },
  });

export interface ListedDevice {
  readonly device: TrustedDevice;
  readonly isCurrent: boolean;
}

/** Lists the live trusted devices, last used first. */
export async function listTrustedDevices(
  userId: number,
  { trustToken }: SignInClient,
  { models }: Context,
): Promise<ListedDevice[]> {
  const current = hashToken(trustToken ?? "");
  const devices = await models.TrustedDevice.scope("live").findAll({
    where: { userId },
    order: [
      ["lastUsedAt", "DESC"],
      ["id", "DESC"],
    ],
  });
  return devices.map((device) => ({ device, isCurrent: device.tokenHash.equals(current) }));
}

/** A removal of trust, by the user or an administrator. */
export interface TrustRemoval {
  readonly userId: number;
  /** Null to remove all devices of the user. */
  readonly deviceId: number | null;
  /** Records the removal in the same transaction. */
  readonly record: (deleted: number, transaction: Transaction) => Promise<void>;
}

/** Removes trust. Lock the user's row first. @returns the number of devices that were trusted */
export async function removeTrustedDevices(
  { userId, deviceId, record }: TrustRemoval,
  transaction: Transaction,
): Promise<number> {
  const { TrustedDevice } = modelsOf(transaction);
  const where = { userId, ...(deviceId !== null && { id: deviceId }) };
  const deleted = await TrustedDevice.scope("live").destroy({ where, transaction });
  if (deleted > 0) await record(deleted, transaction);
  return deleted;
}

/** Removes trust from the caller's devices. @returns the number that were trusted */
export function removeOwnTrustedDevices(
  caller: Caller,
  deviceId: number | null,
  client: SignInClient,
  context: Context,
): Promise<number> {
  const { userId } = caller;
  const action = "auth.trusted_device.revoked";
  const record = (deleted: number, transaction: Transaction) =>
    recordOwnActivity({ userId, action, client, detail: { deleted } }, transaction);
  return inCallersTransaction(context.sequelize, async (transaction) => {
    await lockCaller(caller, transaction, context);
    return removeTrustedDevices({ userId, deviceId, record }, transaction);
  });
}

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone|\biPad/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

const matchName = (userAgent: string, names: typeof browsers): string | undefined =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1];

/** Label in lists of devices: `Firefox on Windows`. */
function deviceLabel(userAgent = ""): string {
  const browser = matchName(userAgent, browsers) ?? "Unknown browser";
  const system = matchName(userAgent, systems);
  return system === undefined ? browser : `${browser} on ${system}`;
}
