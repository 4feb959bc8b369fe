import type { PushDevice } from "../../../models/push/push-device.ts";
import type { Context } from "../../platform/context.ts";
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
 *         origin: { type: string, example: 'https://fcm.googleapis.com', description: Origin of the push relay to which the site sends messages for the device. }
 *         created_at: { type: string, format: date-time }
 *         last_success_at: { type: string, format: date-time, nullable: true, description: Time of the last message that the push relay accepted. Null if it has accepted none yet. }
 *         last_error:
 *           type: string
 *           nullable: true
 *           enum: [gone, refused, limited, unavailable, timeout, unreachable, address, certificate, redirect, too_large, null]
 *           description: >-
 *             Why the last attempt to send a message failed. Null if the last attempt succeeded or
 *             none was made. Six values stand for the HTTP status of the push relay's response:
 *             `gone` for 404 or 410, `limited` for 429, `too_large` for 413, `refused` for any
 *             other 4xx, `unavailable` for 5xx and `redirect` for 3xx (the site does not follow
 *             redirects). `address`: the site does not allow the push relay, or its host is not
 *             public.
 *         failing:
 *           type: boolean
 *           description: >-
 *             Whether the site has given up a message since the last message that the push relay
 *             accepted. After seven days in this state, the site sends no messages until the device
 *             is registered again or a test message succeeds.
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
