import type { Transaction } from "sequelize";

import type { PushDevice } from "../../../models/push/push-device.ts";
import { matchClientId } from "../../../models/queries/any-id.ts";
import { runWithoutRightsCheck } from "../../platform/access/caller-rights.ts";
import type { Caller } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { invalidRequestError, notFoundError } from "../../platform/errors/errors.ts";
import type { PushContext } from "../context.ts";
import { createFailedOutcome, faultRules, type PushOutcome } from "../relay/faults.ts";
import { isPushEnabled } from "../relay/vapid.ts";
import { storeDeviceOutcomes } from "./store-outcomes.ts";

/** The lifetime of a test message. It is short, because the user looks at the device now. */
const ttlSeconds = 60;

/** @throws AppError not_found if the caller has no such device */
export async function findOwnDevice(
  id: number,
  { userId }: Pick<Caller, "userId">,
  { models }: Context,
  transaction?: Transaction,
): Promise<PushDevice> {
  const where = { id: matchClientId(id), userId };
  const device = await models.PushDevice.findOne({ where, ...(transaction && { transaction }) });
  if (!device) throw notFoundError("Unknown device");
  return device;
}

/** Sends a message to the device at once, without retries, and stores the outcome. */
export async function sendTestMessage(
  { id: deviceId, userId }: PushDevice,
  context: PushContext,
): Promise<PushOutcome> {
  const { config, relays, sequelize } = context;
  if (!isPushEnabled(config)) throw invalidRequestError("Push messages are off");
  // The device can be deleted meanwhile, together with the caller's session.
  const { origin, endpoint, p256dh, auth } = await inCallersTransaction(sequelize, (transaction) =>
    findOwnDevice(deviceId, { userId }, context, transaction),
  );
  const ref = String(deviceId);
  const message = { stream: "test", ref, urgency: "high", ttl: ttlSeconds } as const;
  const letter = { to: { endpoint, p256dh, auth }, message };
  const [outcome = createFailedOutcome("unreachable")] = await relays.of(origin).send([letter]);
  const { fault } = outcome;
  // A temporary fault of a single attempt does not mark the device as failing.
  const isFinal = fault !== null && !faultRules[fault].passes;
  const removed = await runWithoutRightsCheck(() =>
    inCallersTransaction(sequelize, (transaction) =>
      storeDeviceOutcomes([{ deviceId, outcome, isFinal }], transaction),
    ),
  );
  relays.counts.removedDevices += removed;
  return outcome;
}
