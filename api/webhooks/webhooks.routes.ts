import Joi from "joi";

import { limits } from "../../shared/platform/limits.ts";
import { longestUrl } from "../../shared/platform/net/external-url.ts";
import { changeHook, type HookChange } from "../../shared/webhooks/hooks/change-hook.ts";
import {
  listDeliveries,
  retryDelivery,
  retryFailedDeliveries,
} from "../../shared/webhooks/hooks/deliveries.ts";
import {
  createHook,
  deleteHook,
  findHook,
  listHooks,
  type NewHook,
} from "../../shared/webhooks/hooks/hooks.ts";
import { type HookStream, hookStreams } from "../../shared/webhooks/messages/hook-streams.ts";
import { testHook } from "../../shared/webhooks/sending/test-hook.ts";
import { createAnswer } from "../http/answer.ts";
import { rowIdParams, idParam, limitField, offsetField } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import {
  viewDelivery,
  viewDeliveryPage,
  viewHook,
  viewHookTest,
  viewCreatedHook,
  viewSavedHook,
} from "./views.ts";

const common = { gate: "roles:admin", set: "additive", tag: "Webhooks" } as const;

const urlField = Joi.string()
  .max(longestUrl)
  .description(
    "URL to which the site posts messages: an `https` URL with a public host, or any URL whose " +
      "origin the operator allows.",
  )
  .example("https://bot.example.org/guildhall");

const streamsField = Joi.array<HookStream[]>()
  .items(Joi.string().valid(...hookStreams))
  .min(1)
  .unique()
  .example(["idoc.warning", "event.run"]);

const enabledField = Joi.boolean().description(
  "Whether the webhook is on, that is, whether the site sends messages to it.",
);

const ofDelivery = Joi.object<{ id: number; deliveryId: number }, true>({
  id: idParam.description("Id of the webhook."),
  deliveryId: idParam.description(
    "Id of the delivery, as `GET /admin/webhooks/{id}/deliveries` returns it.",
  ),
});

export const webhooksRoutes = [
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/webhooks",
    summary: "List the webhooks",
    description:
      "Returns the webhooks, oldest first. In `url`, the secret parts of the URL are left out.",
    answers: { 200: { enveloped: "webhooks", shape: { listOf: "Webhook" } } },
    handle: async (_input, context) => ({ webhooks: (await listHooks(context)).map(viewHook) }),
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/webhooks",
    summary: "Create a webhook",
    description:
      "Returns the webhook and its signing secret, which is shown only once. From then on, the " +
      "site posts each event of the streams in `streams` to `url`. Messages follow the Standard " +
      "Webhooks specification: the header `Webhook-Signature` contains an HMAC-SHA256 signature " +
      "over `id.timestamp.body`. With the format `discord`, `url` must be the URL of a Discord " +
      "webhook: messages appear in the channel of that webhook and are not signed, and the " +
      "response contains no secret. 400 `validation_failed` if the URL is not allowed. 409 " +
      "`webhook_limit_reached` if there are already 10 webhooks. 503 `webhook_host_unresolved` " +
      "if the host name of the URL cannot be resolved.",
    confirms: true,
    body: Joi.object<NewHook>({
      url: urlField.required(),
      streams: streamsField.required(),
      format: Joi.string()
        .valid("standard", "discord")
        .default("standard")
        .description(
          "Format of the messages. The format cannot be changed later. Default: `standard`.",
        ),
      enabled: enabledField.default(true),
    }),
    posts: "WebhookMessage",
    sends: { 503: ["Retry-After"] },
    answers: { 201: "MadeWebhook", 409: "Error", 503: "Error" },
    handle: async ({ body, caller }, context) =>
      createAnswer(201, viewCreatedHook(await createHook(body, caller, context))),
  }),
  defineRoute({
    ...common,
    method: "put",
    path: "/api/v1/admin/webhooks/:id",
    summary: "Change a webhook",
    description:
      "Fields that the request does not contain keep their values. With `rotateSecret`, the " +
      "response contains a new signing secret, which is shown only once. For 24 hours, messages " +
      "have a second signature that is made with the former secret. If the request turns the " +
      "webhook on or changes its URL, the service resets `failing`, `last_error` and " +
      "`disabled_reason` and sends the waiting messages. 400 `validation_failed` if the URL is " +
      "not allowed, or if `rotateSecret` is true and the format is `discord`. 503 " +
      "`webhook_host_unresolved` if the host name of the URL cannot be resolved.",
    confirms: true,
    params: rowIdParams,
    body: Joi.object<HookChange>({
      url: urlField,
      streams: streamsField,
      enabled: enabledField,
      rotateSecret: Joi.boolean().description(
        "Whether to replace the signing secret with a new one.",
      ),
    }),
    sends: { 503: ["Retry-After"] },
    answers: { 200: "SavedWebhook", 404: "Error", 503: "Error" },
    find: ({ params }, context) => findHook(params.id, context),
    handle: async ({ params: { id }, body, caller }, context) =>
      viewSavedHook(await changeHook(id, body, caller, context)),
  }),
  defineRoute({
    ...common,
    method: "delete",
    path: "/api/v1/admin/webhooks/:id",
    summary: "Delete a webhook",
    description:
      "Deletes the webhook and its list of deliveries. Messages that are still waiting are not " +
      "sent.",
    params: rowIdParams,
    answers: { 200: "DeletedId", 404: "Error" },
    handle: async ({ params: { id }, caller }, context) => {
      await deleteHook(id, caller, context);
      return { id };
    },
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/webhooks/:id/test",
    summary: "Send a test message to a webhook",
    description:
      "Makes one attempt to send a message of the type `test`, even if the webhook is off, and " +
      "returns its result. The message appears in the list of deliveries and is not retried. If " +
      "the attempt fails, the response is 200 with `delivered: false`. 429 `rate_limited` after " +
      "too many tests.",
    limiters: ["webhookTest"],
    params: rowIdParams,
    answers: { 200: "WebhookTest", 404: "Error" },
    find: ({ params }, context) => findHook(params.id, context),
    handle: async ({ found: hook, caller }, context) =>
      viewHookTest(await testHook(hook, caller, context)),
  }),
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/webhooks/:id/deliveries",
    summary: "List the deliveries of a webhook",
    description:
      "Returns one page of the deliveries (messages that were sent, failed or are still " +
      "waiting), newest first. The service keeps deliveries for 30 days.",
    params: rowIdParams,
    query: Joi.object<{ limit: number; offset: number }, true>({
      limit: limitField(limits.deliveryPage),
      offset: offsetField,
    }),
    answers: { 200: "WebhookDeliveryPage", 404: "Error" },
    find: ({ params }, context) => findHook(params.id, context),
    handle: async ({ found: hook, query }, context) =>
      viewDeliveryPage(await listDeliveries(hook, query, context), query),
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/webhooks/:id/deliveries/:deliveryId/redeliver",
    summary: "Resend a delivery",
    description:
      "Sends the message of the delivery again, with the same `Webhook-Id`, even if it was " +
      "already delivered. If the attempt fails, the service retries it for up to 24 hours. If " +
      "the message is being sent at this moment, the delivery does not change. 409 " +
      "`webhook_disabled` if the webhook is off.",
    params: ofDelivery,
    answers: {
      202: { enveloped: "delivery", shape: "WebhookDelivery" },
      404: "Error",
      409: "Error",
    },
    handle: async ({ params: { id, deliveryId }, caller }, context) =>
      createAnswer(202, {
        delivery: viewDelivery(await retryDelivery(id, deliveryId, caller, context)),
      }),
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/webhooks/:id/redeliver-failed",
    summary: "Resend all failed deliveries",
    description:
      "Sends the messages of all failed deliveries of the last 30 days again, each with its " +
      "original `Webhook-Id`, and returns their number. Test messages are not sent again. 409 " +
      "`webhook_disabled` if the webhook is off.",
    params: rowIdParams,
    answers: { 202: "QueuedDeliveries", 404: "Error", 409: "Error" },
    handle: async ({ params: { id }, caller }, context) =>
      createAnswer(202, { queued: await retryFailedDeliveries(id, caller, context) }),
  }),
];
