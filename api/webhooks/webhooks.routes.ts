import Joi from "joi";

import { limits } from "../../shared/limits.ts";
import { longestUrl } from "../../shared/net/outside-url.ts";
import { type HookStream, hookStreams } from "../../shared/webhooks/catalogue/hook-streams.ts";
import { changeHook, type HookChange } from "../../shared/webhooks/hooks/change-hook.ts";
import {
  listDeliveries,
  redeliver,
  redeliverFailed,
} from "../../shared/webhooks/hooks/deliveries.ts";
import {
  createHook,
  deleteHook,
  findHook,
  listHooks,
  type NewHook,
} from "../../shared/webhooks/hooks/hooks.ts";
import { testHook } from "../../shared/webhooks/sending/test-hook.ts";
import { answer } from "../http/answer.ts";
import { byId, idParam, limitField, offsetField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import {
  viewDelivery,
  viewDeliveryPage,
  viewHook,
  viewHookTest,
  viewMadeHook,
  viewSavedHook,
} from "./views.ts";

const common = { gate: "roles:admin", set: "additive", tag: "Webhooks" } as const;

const urlField = Joi.string()
  .max(longestUrl)
  .description(
    "An `https` URL with a public host, or any URL with an origin that the operator allows.",
  )
  .example("https://bot.example.org/guildhall");

const streamsField = Joi.array<HookStream[]>()
  .items(Joi.string().valid(...hookStreams))
  .min(1)
  .unique()
  .example(["idoc.warning", "event.run"]);

const enabledField = Joi.boolean().description("Whether the site sends messages to the webhook.");

const ofDelivery = Joi.object<{ id: number; deliveryId: number }, true>({
  id: idParam,
  deliveryId: idParam,
});

/** Where the site posts to when something happens. */
export const webhooksRoutes = [
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/webhooks",
    summary: "List the webhooks",
    description:
      "Returns the webhooks, oldest first. `url` does not contain the secret parts of the URL.",
    answers: { 200: { enveloped: "webhooks", shape: { listOf: "Webhook" } } },
    handle: async (_input, context) => ({ webhooks: (await listHooks(context)).map(viewHook) }),
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/webhooks",
    summary: "Create a webhook",
    description:
      "Returns the signing secret, which is shown only once. The site then posts each event of " +
      "the streams to `url`, as specified by Standard Webhooks: the header `Webhook-Signature` " +
      "contains an HMAC-SHA256 signature over `id.timestamp.body`. With the format `discord`, " +
      "`url` is a Discord webhook: messages appear in its channel and are not signed. 400 " +
      "`validation_failed` if the URL is not allowed. 409 `webhook_limit_reached` if there are " +
      "10 webhooks. 503 `webhook_host_unresolved` if the host name cannot be resolved now.",
    confirms: true,
    body: Joi.object<NewHook>({
      url: urlField.required(),
      streams: streamsField.required(),
      format: Joi.string()
        .valid("standard", "discord")
        .default("standard")
        .description("Format of the messages. It cannot be changed."),
      enabled: enabledField.default(true),
    }),
    posts: "WebhookMessage",
    sends: { 503: ["Retry-After"] },
    answers: { 201: "MadeWebhook", 409: "Error", 503: "Error" },
    handle: async ({ body, caller }, context) =>
      answer(201, viewMadeHook(await createHook(body, caller, context))),
  }),
  route({
    ...common,
    method: "put",
    path: "/api/v1/admin/webhooks/:id",
    summary: "Change a webhook",
    description:
      "Absent fields keep their values. With `rotateSecret` the response contains a new secret, " +
      "which is shown only once; for 24 hours messages have a second signature with the former " +
      "secret. Turning the webhook on or changing its URL resets `failing`, `last_error` and " +
      "`disabled_reason`, and the site sends the waiting messages. 400 `validation_failed` if " +
      "the URL is not allowed, or for `rotateSecret` with the format `discord`. 503 " +
      "`webhook_host_unresolved` if the host name cannot be resolved now.",
    confirms: true,
    params: byId,
    body: Joi.object<HookChange>({
      url: urlField,
      streams: streamsField,
      enabled: enabledField,
      rotateSecret: Joi.boolean().description("Whether to replace the signing secret."),
    }),
    sends: { 503: ["Retry-After"] },
    answers: { 200: "SavedWebhook", 404: "Error", 503: "Error" },
    find: ({ params }, context) => findHook(params.id, context),
    handle: async ({ params: { id }, body, caller }, context) =>
      viewSavedHook(await changeHook(id, body, caller, context)),
  }),
  route({
    ...common,
    method: "delete",
    path: "/api/v1/admin/webhooks/:id",
    summary: "Delete a webhook",
    description: "Deletes the webhook with its deliveries. Waiting messages are not sent.",
    params: byId,
    answers: { 200: "DeletedId", 404: "Error" },
    handle: async ({ params: { id }, caller }, context) => {
      await deleteHook(id, caller, context);
      return { id };
    },
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/webhooks/:id/test",
    summary: "Send a test message to a webhook",
    description:
      "Makes one attempt to send a message of the type `test`, even if the webhook is off, and " +
      "returns its result. The message appears in the list of deliveries and is not retried. A " +
      "failed attempt is 200 with `delivered: false`. 429 `rate_limited` after too many tests.",
    limiters: ["webhookTest"],
    params: byId,
    answers: { 200: "WebhookTest", 404: "Error" },
    find: ({ params }, context) => findHook(params.id, context),
    handle: async ({ found: hook, caller }, context) =>
      viewHookTest(await testHook(hook, caller, context)),
  }),
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/webhooks/:id/deliveries",
    summary: "List the deliveries of a webhook",
    description:
      "Returns one page of sent and waiting messages, newest first. Deliveries are kept for 30 " +
      "days.",
    params: byId,
    query: Joi.object<{ limit: number; offset: number }, true>({
      limit: limitField(limits.deliveryPage),
      offset: offsetField,
    }),
    answers: { 200: "WebhookDeliveryPage", 404: "Error" },
    find: ({ params }, context) => findHook(params.id, context),
    handle: async ({ found: hook, query }, context) =>
      viewDeliveryPage(await listDeliveries(hook, query, context), query),
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/webhooks/:id/deliveries/:deliveryId/redeliver",
    summary: "Resend a delivery",
    description:
      "Queues the message again with the same `Webhook-Id`, whether it was delivered or failed, " +
      "and retries it for 24 hours. A delivery that is being sent now does not change. 409 " +
      "`webhook_disabled` if the webhook is off.",
    params: ofDelivery,
    answers: {
      202: { enveloped: "delivery", shape: "WebhookDelivery" },
      404: "Error",
      409: "Error",
    },
    handle: async ({ params: { id, deliveryId }, caller }, context) =>
      answer(202, { delivery: viewDelivery(await redeliver(id, deliveryId, caller, context)) }),
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/webhooks/:id/redeliver-failed",
    summary: "Resend all failed deliveries",
    description:
      "Queues all failed deliveries of the last 30 days again, each with its original " +
      "`Webhook-Id`. Test messages are not sent again. 409 `webhook_disabled` if the webhook is " +
      "off.",
    params: byId,
    answers: { 202: "QueuedDeliveries", 404: "Error", 409: "Error" },
    handle: async ({ params: { id }, caller }, context) =>
      answer(202, { queued: await redeliverFailed(id, caller, context) }),
  }),
];
