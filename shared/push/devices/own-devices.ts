import type { PushDevice } from "../../../models/push/push-device.ts";
import type { Context } from "../../context.ts";
import { listDevices } from "./devices.ts";
import { readSubscriptions } from "./subscriptions.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     PushDevice:
 *       type: object
 *       additionalProperties: false
 *       required: [id, device_name, origin, created_at, last_success_at, last_error, failing]
 *       properties:
 *         id: { type: integer }
 *         device_name: { type: string, nullable: true }
 *         origin: { type: string, example: 'https://fcm.googleapis.com', description: The push relay. }
 *         created_at: { type: string, format: date-time }
 *         last_success_at: { type: string, format: date-time, nullable: true }
 *         last_error:
 *           type: string
 *           nullable: true
 *           enum: [gone, refused, limited, unavailable, timeout, unreachable, address, certificate, redirect, too_large, null]
 *           description: Why the last try failed; null when it succeeded.
 *         failing:
 *           type: boolean
 *           description: >-
 *             Nothing reaches it. After seven days nothing is sent any more until it is registered
 *             again or a test message arrives.
 */
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

/** The devices of a user, for their own export. */
export const readOwnDevices = async (userId: number, context: Stores): Promise<object[]> =>
  (await listDevices({ userId }, context)).map(viewPushDevice);

/**
 * @openapi
 * components:
 *   schemas:
 *     OwnSubscription:
 *       type: object
 *       additionalProperties: false
 *       required: [stream]
 *       properties:
 *         stream: { type: string, example: champ.start }
 */
export const readOwnSubscriptions = async (userId: number, context: Stores): Promise<object[]> =>
  (await readSubscriptions({ userId }, context)).map((stream) => ({ stream }));
