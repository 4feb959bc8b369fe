import type { Transaction } from "sequelize";

import type { PushDevice } from "../../../models/push/push-device.ts";
import { anyId } from "../../../models/queries/any-id.ts";
import { withoutCaller } from "../../platform/access/acting.ts";
import type { Caller } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { invalid, missing } from "../../platform/errors/errors.ts";
import type { PushContext } from "../context.ts";
import { failed, faultRules, type Outcome } from "../relay/faults.ts";
import { isPushOn } from "../relay/vapid.ts";
import { noteOnDevices } from "./note-outcome.ts";

/** Who asked for it looks at the device now. */
const ttlSeconds = 60;

/** @throws AppError missing when it is none of the caller's */
export async function findDevice(
  id: number,
  { userId }: Pick<Caller, "userId">,
  { models }: Context,
  transaction?: Transaction,
): Promise<PushDevice> {
  const where = { id: anyId(id), userId };
  const device = await models.PushDevice.findOne({ where, ...(transaction && { transaction }) });
  if (!device) throw missing("Unknown device");
  return device;
}

/** Sends a message to the device now, by one try, and notes what came of it. */
export async function sendTestMessage(
  { id: deviceId, userId }: PushDevice,
  context: PushContext,
): Promise<Outcome> {
  const { config, relays, sequelize } = context;
  if (!isPushOn(config)) throw invalid("Push messages are off");
  // It may have been taken away meanwhile, with the session that asks.
  const { origin, endpoint, p256dh, auth } = await inTransaction(sequelize, (transaction) =>
    findDevice(deviceId, { userId }, context, transaction),
  );
  const ref = String(deviceId);
  const message = { stream: "test", ref, urgency: "high", ttl: ttlSeconds } as const;
  const letter = { to: { endpoint, p256dh, auth }, message };
  const [outcome = failed("unreachable")] = await relays.of(origin).send([letter]);
  const { fault } = outcome;
  // What passes by itself does not make a device fail by one try.
  const isFinal = fault !== null && !faultRules[fault].passes;
  const removed = await withoutCaller(() =>
    inTransaction(sequelize, (transaction) =>
      noteOnDevices([{ deviceId, outcome, isFinal }], transaction),
    ),
  );
  relays.counts.removedDevices += removed;
  return outcome;
}
