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
 *         origin: { type: string, example: 'https://fcm.googleapis.com', description: Origin of the push relay. }
 *         created_at: { type: string, format: date-time }
 *         last_success_at: { type: string, format: date-time, nullable: true, description: Null if no message was sent yet. }
 *         last_error:
 *           type: string
 *           nullable: true
 *           enum: [gone, refused, limited, unavailable, timeout, unreachable, address, certificate, redirect, too_large, null]
 *           description: >-
 *             Why the last attempt failed; null if it succeeded or none was made. `gone`: 404 or 410.
 *             `refused`: another 4xx. `unavailable`: 5xx. `limited`: 429. `redirect`: 3xx, which is
 *             not followed. `too_large`: 413. `address`: the relay is not allowed or not public.
 *         failing:
 *           type: boolean
 *           description: >-
 *             Whether a message was given up since the last success. After seven days no messages are
 *             sent until the device is registered again or a test message succeeds.
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
