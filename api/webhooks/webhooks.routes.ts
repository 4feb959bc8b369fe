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
  .description("An https URL at a public host, or at an origin that the site allows.")
  .example("https://bot.example.org/guildhall");

const streamsField = Joi.array<HookStream[]>()
  .items(Joi.string().valid(...hookStreams))
  .min(1)
  .unique()
  .example(["idoc.warning", "event.run"]);

const enabledField = Joi.boolean().description("Nothing is sent to one that is off.");

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
    summary: "Webhooks",
    description: "The oldest first. What is secret in an address is left out of `url`.",
    answers: { 200: { enveloped: "webhooks", shape: { listOf: "Webhook" } } },
    handle: async (_input, context) => ({ webhooks: (await listHooks(context)).map(viewHook) }),
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/webhooks",
    summary: "Make a webhook",
    description:
      "The secret is shown this once. Each message is posted as Standard Webhooks has it: `HMAC-SHA256` " +
      "over `id.timestamp.body`, in `Webhook-Signature`. With the format `discord` the address is that " +
      "of a webhook of Discord, and messages show in its channel; they are not signed.",
    confirms: true,
    body: Joi.object<NewHook>({
      url: urlField.required(),
      streams: streamsField.required(),
      format: Joi.string()
        .valid("standard", "discord")
        .default("standard")
        .description("It cannot be changed later."),
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
      "Absent fields stay. `rotateSecret` makes a new secret, which is shown this once; the former one " +
      "signs too for 24 hours. Switched on again, or at another address, it counts as untried.",
    confirms: true,
    params: byId,
    body: Joi.object<HookChange>({
      url: urlField,
      streams: streamsField,
      enabled: enabledField,
      rotateSecret: Joi.boolean(),
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
    summary: "Delete a webhook, with its deliveries",
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
    summary: "Send a message to a webhook now",
    description:
      "One try of a message of the type `test`, which is waited for, whether the webhook is on or off.",
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
    summary: "What was sent to a webhook",
    description:
      "The newest first, for 30 days. `answer` is the beginning of what came back, without what is secret.",
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
    summary: "Send a delivery again",
    description: "Under its own id, whatever became of it before.",
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
    summary: "Send every failed delivery again",
    description: "Those of the last 30 days, each under its own id.",
    params: byId,
    answers: { 202: "QueuedDeliveries", 404: "Error", 409: "Error" },
    handle: async ({ params: { id }, caller }, context) =>
      answer(202, { queued: await redeliverFailed(id, caller, context) }),
  }),
];
