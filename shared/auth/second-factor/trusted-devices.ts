import type { Transaction } from "sequelize";

import type { TrustedDevice } from "../../../models/auth/trusted-device.ts";
import { startAfter } from "../../../models/queries/clock.ts";
import type { Caller, Client } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { hashToken, newToken } from "../../platform/crypto/tokens.ts";
import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors/errors.ts";
import type { Admission } from "../sessions/admission.ts";
import { lockCaller } from "../sessions/own-account.ts";
import { recordOwn } from "../users/own-activity.ts";

/** What the browser keeps, for a time that no use prolongs. */
export interface TrustToken {
  readonly token: string;
  readonly maxAgeMs: number;
}

/** Whether the browser may skip the second factor of this user now. */
export async function useTrustedDevice(
  { user, transaction }: Admission,
  { trustToken }: Client,
  { models }: Context,
): Promise<boolean> {
  if (trustToken === undefined) return false;
  return models.TrustedDevice.use(hashToken(trustToken), user.id, transaction);
}

/**
 * Trusts the browser; one that is trusted already gets a new row for its old one. An admission
 * holds the lock on the user's row, so requests at the same time cannot pass the cap together.
 * @throws AppError conflict with `trustLimitReached`, when nothing of the request may count
 */
export async function trustDevice(
  { user: { id: userId }, transaction }: Admission,
  client: Client,
  { config, models: { TrustedDevice } }: Context,
): Promise<TrustToken> {
  const { trustToken, userAgent } = client;
  const former = hashToken(trustToken ?? "");
  await TrustedDevice.destroy({ where: { userId, tokenHash: former }, transaction });
  const trusted = await TrustedDevice.scope("live").count({ where: { userId }, transaction });
  if (trusted >= config.TRUST_DEVICE_MAX) throw trustLimitReached();
  const token = newToken();
  const expiresAt = startAfter(config.TRUST_DEVICE_TTL);
  const label = deviceLabel(userAgent);
  await TrustedDevice.create(
    { userId, tokenHash: hashToken(token), label, expiresAt },
    { transaction },
  );
  await recordOwn({ userId, action: "auth.trusted_device.added", client }, transaction);
  return { token, maxAgeMs: config.TRUST_DEVICE_TTL };
}

const trustLimitReached = () =>
  new AppError("trust_limit_reached", "Too many trusted devices", {
    extra: { trustLimitReached: true },
  });

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
  const devices = await models.TrustedDevice.scope("live").findAll({
    where: { userId },
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

/** Lock the user's row before. @returns how many devices were trusted until now */
export async function untrustDevices(
  { userId, deviceId, record }: Untrust,
  transaction: Transaction,
): Promise<number> {
  const { TrustedDevice } = modelsOf(transaction);
  const where = { userId, ...(deviceId !== null && { id: deviceId }) };
  const deleted = await TrustedDevice.scope("live").destroy({ where, transaction });
  if (deleted > 0) await record(deleted, transaction);
  return deleted;
}

/** The caller takes trust back. @returns how many devices had it until now */
export function untrustOwnDevices(
  caller: Caller,
  deviceId: number | null,
  client: Client,
  context: Context,
): Promise<number> {
  const { userId } = caller;
  const action = "auth.trusted_device.revoked";
  const record = (deleted: number, transaction: Transaction) =>
    recordOwn({ userId, action, client, detail: { deleted } }, transaction);
  return inTransaction(context.sequelize, async (transaction) => {
    await lockCaller(caller, transaction, context);
    return untrustDevices({ userId, deviceId, record }, transaction);
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

const nameIn = (userAgent: string, names: typeof browsers): string | undefined =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1];

/** What a list of devices calls a browser: `Firefox on Windows`. */
function deviceLabel(userAgent = ""): string {
  const browser = nameIn(userAgent, browsers) ?? "Unknown browser";
  const system = nameIn(userAgent, systems);
  return system === undefined ? browser : `${browser} on ${system}`;
}
