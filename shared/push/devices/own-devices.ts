import type { PushDevice } from "../../../models/push/push-device.ts";
import type { Context } from "../../platform/context.ts";
import { listDevices } from "./devices.ts";
import { readSubscriptions } from "./subscriptions.ts";

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

export const readOwnSubscriptions = async (userId: number, context: Stores): Promise<object[]> =>
  (await readSubscriptions({ userId }, context)).map((stream) => ({ stream }));
