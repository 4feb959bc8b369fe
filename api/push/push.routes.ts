import Joi from "joi";

import { limits } from "../../shared/limits.ts";
import { longestUrl } from "../../shared/net/outside-url.ts";
import type { DeviceKeys } from "../../shared/push/devices/device-keys.ts";
import { listDevices, registerDevice, removeDevice } from "../../shared/push/devices/devices.ts";
import { viewPushDevice } from "../../shared/push/devices/own-devices.ts";
import {
  readSubscriptions,
  replaceSubscriptions,
} from "../../shared/push/devices/subscriptions.ts";
import { findDevice, sendTestMessage } from "../../shared/push/devices/test-message.ts";
import { nameText } from "../../shared/visible-text.ts";
import { answer } from "../http/answer.ts";
import { byId } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { viewStreams, viewSubscriptions, viewTest } from "./views.ts";

interface RegistrationBody {
  readonly endpoint: string;
  readonly keys: DeviceKeys;
  readonly device_name?: string | null;
}

/** As `JSON.stringify(pushSubscription)` writes it; what else it holds is passed over. */
const registrationBody = Joi.object<RegistrationBody>({
  endpoint: Joi.string()
    .max(longestUrl)
    .required()
    .description("An https URL at a push relay that the site allows."),
  keys: Joi.object<DeviceKeys>({
    p256dh: Joi.string().max(128).required().description("A public key of P-256, base64url."),
    auth: Joi.string().max(64).required().description("16 bytes, base64url."),
  }).required(),
  device_name: nameText(limits.deviceName).empty("").allow(null).description("What lists call it."),
}).example({
  endpoint: "https://fcm.googleapis.com/fcm/send/cFq1…",
  keys: {
    p256dh:
      "BOJ2FMB7wL-5cw5BBZj0Tu9uRwuiwAUEAKxHSWNgPZYz45wvR9kPQLdgkEYgbZ1V7BUQWmlB0cw1Ih1MBVYDV5A",
    auth: "8lJXuCFTx-XLQHbGl-0MuQ",
  },
  device_name: "Phone",
});

/** Devices that push messages reach, and what they are told of. */
export const pushRoutes = [
  route({
    method: "post",
    path: "/api/v1/auth/me/devices",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Register a device for push messages",
    description:
      "Takes what a browser's `PushSubscription` holds. A device that is registered already gets " +
      "the new keys and name and is answered with 200; a new one beyond 20 is a conflict. " +
      "Messages are `{ stream, ref }` alone: what happened is asked for by whoever gets one.",
    body: registrationBody,
    sends: { 503: ["Retry-After"] },
    answers: { 200: "PushDevice", 201: "PushDevice", 409: "Error", 503: "Error" },
    handle: async ({ body, caller }, context) => {
      const { endpoint, keys, device_name: deviceName = null } = body;
      const registration = { endpoint, keys, deviceName };
      const { device, isNew } = await registerDevice(registration, caller, context);
      return answer(isNew ? 201 : 200, viewPushDevice(device));
    },
  }),
  route({
    method: "get",
    path: "/api/v1/auth/me/devices",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Devices that push messages reach",
    answers: { 200: { listOf: "PushDevice" } },
    handle: async ({ caller }, context) => (await listDevices(caller, context)).map(viewPushDevice),
  }),
  route({
    method: "delete",
    path: "/api/v1/auth/me/devices/:id",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Send nothing more to a device",
    description: "Answers alike for another's device and for one that does not exist.",
    params: byId,
    answers: { 200: "Deleted" },
    handle: async ({ caller, params }, context) => ({
      deleted: await removeDevice(params.id, caller, context),
    }),
  }),
  route({
    method: "post",
    path: "/api/v1/auth/me/devices/:id/test",
    gate: "auth",
    set: "additive",
    tag: "Account",
    summary: "Send a message to a device now",
    description:
      'One try of `{ stream: "test", ref: <the device\'s id> }`, which is waited for. A device that ' +
      "its relay does not know any more is removed.",
    limiters: ["pushTest"],
    params: byId,
    answers: { 200: "PushTest", 404: "Error" },
    find: ({ params, caller }, context) => findDevice(params.id, caller, context),
    handle: async ({ found: device }, context) => viewTest(await sendTestMessage(device, context)),
  }),
  route({
    method: "get",
    path: "/api/v1/auth/me/notifications/streams",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "What push messages can tell of",
    answers: { 200: "NotificationStreams" },
    handle: ({ caller }, { config }) => viewStreams(config, caller.role),
  }),
  route({
    method: "get",
    path: "/api/v1/auth/me/notifications/subscriptions",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "What the caller's devices are told of",
    answers: { 200: "NotificationSubscriptions" },
    handle: async ({ caller }, context) =>
      viewSubscriptions(await readSubscriptions(caller, context)),
  }),
  route({
    method: "put",
    path: "/api/v1/auth/me/notifications/subscriptions",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Choose what the own devices are told of",
    description:
      "Replaces the choice. A repeated stream counts once; an unknown one changes nothing.",
    body: Joi.object<{ streams: string[] }, true>({
      streams: Joi.array().items(Joi.string().max(64)).max(100).required(),
    }).example({ streams: ["news.post", "vendor.sale"] }),
    answers: { 200: "NotificationSubscriptions" },
    handle: async ({ body, caller }, context) =>
      viewSubscriptions(await replaceSubscriptions(body.streams, caller, context)),
  }),
];
