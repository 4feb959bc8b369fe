import Joi from "joi";

import { limits } from "../../shared/platform/limits.ts";
import { longestUrl } from "../../shared/platform/net/external-url.ts";
import { nameTextField } from "../../shared/platform/texts/visible-text.ts";
import {
  type DeviceKeys,
  listDevices,
  registerDevice,
  removeDevice,
  viewPushDevice,
} from "../../shared/push/devices/devices.ts";
import {
  readSubscriptions,
  replaceSubscriptions,
} from "../../shared/push/devices/subscriptions.ts";
import { findOwnDevice, sendTestMessage } from "../../shared/push/devices/test-message.ts";
import { createAnswer } from "../http/answer.ts";
import { rowIdParams } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { viewStreams, viewSubscriptions, viewTestResult } from "./views.ts";

interface RegistrationBody {
  readonly endpoint: string;
  readonly keys: DeviceKeys;
  readonly device_name?: string | null;
}

/** The JSON of a browser's `PushSubscription`. Other fields of it are ignored. */
const registrationBody = Joi.object<RegistrationBody>({
  endpoint: Joi.string()
    .max(longestUrl)
    .required()
    .description("`https` URL of the subscription, at a push relay that the site allows."),
  keys: Joi.object<DeviceKeys>({
    p256dh: Joi.string().max(128).required().description("P-256 public key, in base64url."),
    auth: Joi.string()
      .max(64)
      .required()
      .description("Authentication secret: 16 bytes, in base64url."),
  }).required(),
  device_name: nameTextField(limits.deviceName)
    .empty("")
    .allow(null)
    .description("Name under which the list of push devices shows this device."),
}).example({
  endpoint: "https://fcm.googleapis.com/fcm/send/cFq1…",
  keys: {
    p256dh:
      "BOJ2FMB7wL-5cw5BBZj0Tu9uRwuiwAUEAKxHSWNgPZYz45wvR9kPQLdgkEYgbZ1V7BUQWmlB0cw1Ih1MBVYDV5A",
    auth: "8lJXuCFTx-XLQHbGl-0MuQ",
  },
  device_name: "Phone",
});

export const pushRoutes = [
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
   *         last_success_at: { type: string, format: date-time, nullable: true, description: Time of the last message that the push relay accepted. Null if the push relay has not accepted a message yet. }
   *         last_error:
   *           type: string
   *           nullable: true
   *           enum: [gone, refused, limited, unavailable, timeout, unreachable, address, certificate, redirect, too_large, null]
   *           description: >-
   *             Why the last attempt to send a message failed. Null if the last attempt succeeded
   *             or no attempt was made. Six values stand for the HTTP status of the push relay's
   *             response: `gone` for 404 or 410, `limited` for 429, `too_large` for 413, `refused`
   *             for any other 4xx, `unavailable` for 5xx and `redirect` for 3xx (the site does not
   *             follow redirects). `address`: the site does not allow the push relay, or its host
   *             is not public.
   *         failing:
   *           type: boolean
   *           description: >-
   *             Whether the site has given up a message since the last message that the push relay
   *             accepted. After seven days in this state, the site sends no messages until the device
   *             is registered again or a test message succeeds.
   */
  defineRoute({
    method: "post",
    path: "/api/v1/auth/me/devices",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Register a device for push messages",
    description:
      "Send the fields of the browser's `PushSubscription`. The response is 201 for a new " +
      "device. If the caller has already registered the `endpoint`, the response is 200: the " +
      "site stores the new keys and the new name, and the device is no longer `failing`. Push " +
      "messages contain only `{ stream, ref }`, so the client must fetch the details itself. 400 " +
      "`validation_failed` if the site does not allow the push relay of the `endpoint`, or if a " +
      "key is not valid. 400 `invalid_request` while push messages are turned off. 409 " +
      "`device_limit_reached` if the user has 20 devices. 503 `push_relay_unresolved` if the " +
      "host name of the push relay cannot be resolved.",
    body: registrationBody,
    sends: { 503: ["Retry-After"] },
    answers: { 200: "PushDevice", 201: "PushDevice", 409: "Error", 503: "Error" },
    handle: async ({ body, caller }, context) => {
      const { endpoint, keys, device_name: deviceName = null } = body;
      const registration = { endpoint, keys, deviceName };
      const { device, isNew } = await registerDevice(registration, caller, context);
      return createAnswer(isNew ? 201 : 200, viewPushDevice(device));
    },
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/auth/me/devices",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "List the push devices",
    description: "Returns the caller's registered devices, oldest first.",
    answers: { 200: { listOf: "PushDevice" } },
    handle: async ({ caller }, context) => (await listDevices(caller, context)).map(viewPushDevice),
  }),
  defineRoute({
    method: "delete",
    path: "/api/v1/auth/me/devices/:id",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Remove a push device",
    description:
      "The device no longer receives push messages. `deleted` is false if the caller has no push " +
      "device with this id. A client can safely repeat the request.",
    params: rowIdParams,
    answers: { 200: "Deleted" },
    handle: async ({ caller, params }, context) => ({
      deleted: await removeDevice(params.id, caller, context),
    }),
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/auth/me/devices/:id/test",
    gate: "auth",
    set: "additive",
    tag: "Account",
    summary: "Send a test message to a device",
    description:
      'Makes one attempt to send `{ stream: "test", ref: <device id> }` and returns its result. ' +
      "The device does not have to be subscribed to a stream. If the attempt fails, the response " +
      "is 200 with `delivered: false`. If the push relay responds with 404 or 410, the device is " +
      "removed. If the site has stopped sending messages to the device, after seven days of " +
      "failures, a successful test makes the site send messages again. 400 `invalid_request` " +
      "while push messages are turned off; 429 `rate_limited` after too many tests.",
    limiters: ["pushTest"],
    params: rowIdParams,
    answers: { 200: "PushTest", 404: "Error" },
    find: ({ params, caller }, context) => findOwnDevice(params.id, caller, context),
    handle: async ({ found: device }, context) =>
      viewTestResult(await sendTestMessage(device, context)),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/auth/me/notifications/streams",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "List the notification streams",
    description:
      "Returns the notification streams to which the caller can subscribe, and the public key " +
      "for `pushManager.subscribe()`. Streams for staff are listed only for the roles that can " +
      "subscribe to them.",
    answers: { 200: "NotificationStreams" },
    handle: ({ caller }, { config }) => viewStreams(config, caller.role),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/auth/me/notifications/subscriptions",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "List the subscribed streams",
    description:
      "Returns the streams that the caller's devices receive, in the order of `GET " +
      "/auth/me/notifications/streams`.",
    answers: { 200: "NotificationSubscriptions" },
    handle: async ({ caller }, context) =>
      viewSubscriptions(await readSubscriptions(caller, context)),
  }),
  defineRoute({
    method: "put",
    path: "/api/v1/auth/me/notifications/subscriptions",
    gate: "auth",
    set: "core",
    tag: "Account",
    summary: "Replace the subscribed streams",
    description:
      "Replaces the subscriptions of all push devices of the caller. An empty list ends all " +
      "subscriptions. Duplicate streams are ignored. If a stream is unknown or not available to " +
      "the caller's role, the response is 400 `validation_failed` and no subscription changes.",
    body: Joi.object<{ streams: string[] }, true>({
      streams: Joi.array()
        .items(Joi.string().max(64))
        .max(100)
        .required()
        .description(
          "Ids of notification streams, as `GET /auth/me/notifications/streams` returns them.",
        ),
    }).example({ streams: ["news.post", "vendor.sale"] }),
    answers: { 200: "NotificationSubscriptions" },
    handle: async ({ body, caller }, context) =>
      viewSubscriptions(await replaceSubscriptions(body.streams, caller, context)),
  }),
];
