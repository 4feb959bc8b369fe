import { ECDH } from "node:crypto";

import type { Transaction } from "sequelize";

import type { PushDevice } from "../../../models/push/push-device.ts";
import { matchClientId } from "../../../models/queries/any-id.ts";
import { lockUser } from "../../auth/users/users.ts";
import type { Caller } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import {
  AppError,
  type Fault,
  invalidRequestError,
  invalidFieldsError,
  unauthenticatedError,
} from "../../platform/errors/errors.ts";
import { limits } from "../../platform/limits.ts";
import { requirePublicHost } from "../../platform/net/public-address.ts";
import type { PushContext } from "../context.ts";
import { findRelayAddresses, readEndpoint } from "../relay/endpoint.ts";
import { isPushEnabled } from "../relay/vapid.ts";
import { readSubscriptions } from "./subscriptions.ts";

/** A push subscription that a browser or app sends. */
export interface DeviceRegistration {
  readonly endpoint: string;
  readonly keys: DeviceKeys;
  readonly deviceName: string | null;
}

export interface RegistrationResult {
  readonly device: PushDevice;
  readonly isNew: boolean;
}

/**
 * Registers a device of the caller. A known device gets the new keys and name, and its failures are
 * cleared.
 * @throws AppError for every rule that the registration breaks, or if the caller has too many devices
 */
export async function registerDevice(
  registration: DeviceRegistration,
  { userId }: Caller,
  context: PushContext,
): Promise<RegistrationResult> {
  if (!isPushEnabled(context.config)) throw invalidRequestError("Push messages are off");
  const checked = checkRegistration(registration, context);
  await checkRelay(checked.endpoint, context);
  return inCallersTransaction(context.sequelize, async (transaction) => {
    // The lock keeps concurrent registrations from exceeding the limit.
    if (!(await lockUser(userId, transaction))) throw unauthenticatedError();
    return saveDevice({ userId, ...checked }, transaction, context);
  });
}

interface CheckedRegistration extends Pick<PushDevice, "endpoint" | "origin" | "deviceName"> {
  readonly p256dh: string;
  readonly auth: string;
}

function checkRegistration(
  { endpoint, keys, deviceName }: DeviceRegistration,
  { config }: Context,
): CheckedRegistration {
  const url = readEndpoint(endpoint, config);
  const [p256dh, auth] = [readPublicKey(keys.p256dh), readAuthSecret(keys.auth)];
  if (typeof url !== "string" && p256dh !== null && auth !== null) {
    return { endpoint: url.href, origin: url.origin, p256dh, auth, deviceName };
  }
  throw invalidFieldsError([
    ...(typeof url === "string" ? [fault("endpoint", url)] : []),
    ...(p256dh === null
      ? [fault("keys.p256dh", "must be a public key of P-256 in base64url")]
      : []),
    ...(auth === null ? [fault("keys.auth", "must be 16 bytes in base64url")] : []),
  ]);
}

const fault = (path: string, rule: string): Fault => ({ path, message: `${path} ${rule}` });

/** Refuses a relay whose host name has no address, or a forbidden one. */
const checkRelay = (endpoint: string, { config }: Context): Promise<void> =>
  requirePublicHost(() => findRelayAddresses(new URL(endpoint).origin, config), {
    field: "endpoint",
    unresolved: {
      code: "push_relay_unresolved",
      message: "The push relay cannot be looked up at present",
    },
  });

/** The state of a device before its first delivery. */
const initialDeliveryState = { lastError: null, failingSince: null, heldUntil: null } as const;

async function saveDevice(
  given: CheckedRegistration & { readonly userId: number },
  transaction: Transaction,
  { models: { PushDevice } }: PushContext,
): Promise<RegistrationResult> {
  const { userId, endpoint } = given;
  const known = await PushDevice.findOne({ where: { userId, endpoint }, transaction });
  if (known) {
    return {
      device: await known.update({ ...given, ...initialDeliveryState }, { transaction }),
      isNew: false,
    };
  }
  const registered = await PushDevice.count({ where: { userId }, transaction });
  if (registered >= limits.pushDevices) {
    throw new AppError("device_limit_reached", "Too many devices");
  }
  const device = await PushDevice.create({ ...given, ...initialDeliveryState }, { transaction });
  return { device: await device.reload({ transaction }), isNew: true };
}

/** Lists the caller's devices, oldest first. */
export const listDevices = (
  { userId }: Pick<Caller, "userId">,
  { models }: Pick<Context, "models">,
): Promise<PushDevice[]> => models.PushDevice.findAll({ where: { userId }, order: ["id"] });

/** @returns false if the caller has no such device */
export async function removeDevice(
  id: number,
  { userId }: Caller,
  { sequelize, models }: Context,
): Promise<boolean> {
  const where = { id: matchClientId(id), userId };
  const destroy = (transaction: Transaction) => models.PushDevice.destroy({ where, transaction });
  return (await inCallersTransaction(sequelize, destroy)) > 0;
}

export interface DeviceKeys {
  readonly p256dh: string;
  readonly auth: string;
}

/** base64 and base64url, with or without padding. */
const base64Pattern = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** Returns the key as base64url; null if it is invalid. */
function readPublicKey(text: string): string | null {
  const key = decode(text);
  if (key?.length !== 65 || key[0] !== 4) return null;
  try {
    // Throws if the key is not a point of the curve, because nothing can be encrypted for it.
    ECDH.convertKey(key, "prime256v1");
    return key.toString("base64url");
  } catch {
    return null;
  }
}

/** Returns the secret as base64url; null if it is invalid. */
function readAuthSecret(text: string): string | null {
  const secret = decode(text);
  return secret?.length === 16 ? secret.toString("base64url") : null;
}

const decode = (text: string): Buffer | null =>
  base64Pattern.test(text) ? Buffer.from(text, "base64url") : null;

export const viewPushDevice = (device: PushDevice) => ({
  id: device.id,
  device_name: device.deviceName,
  origin: device.origin,
  created_at: device.createdAt,
  last_success_at: device.lastSuccessAt,
  last_error: device.lastError,
  failing: device.failingSince !== null,
});

type Stores = Pick<Context, "models">;

export const readOwnDevices = async (userId: number, context: Stores): Promise<object[]> =>
  (await listDevices({ userId }, context)).map(viewPushDevice);

export const readOwnSubscriptions = async (userId: number, context: Stores): Promise<object[]> =>
  (await readSubscriptions({ userId }, context)).map((stream) => ({ stream }));
