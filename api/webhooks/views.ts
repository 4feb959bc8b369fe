import type { WebhookDelivery } from "../../models/webhooks/webhook-delivery.ts";
import type { Webhook } from "../../models/webhooks/webhook.ts";
import type { DeliveryPage } from "../../shared/webhooks/hooks/deliveries.ts";
import type { SavedHook } from "../../shared/webhooks/hooks/hooks.ts";
import { toMessageId } from "../../shared/webhooks/messages/message.ts";
import type { HookOutcome } from "../../shared/webhooks/receiver/hook-outcome.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     WebhookFault:
 *       type: string
 *       nullable: true
 *       enum: [gone, refused, limited, unavailable, timeout, unreachable, address, certificate, redirect, too_large, expired, unreadable, null]
 *       description: >-
 *         Why the last attempt failed. Null if the last attempt succeeded or no attempt was made.
 *         Six values stand for the HTTP status of the receiver's response: `gone` for 410 (or 404
 *         from Discord), `limited` for 429, `too_large` for 413, `refused` for any other 4xx,
 *         `unavailable` for 5xx and `redirect` for 3xx (the site does not follow redirects).
 *         `address`: the host of the URL is not public. `unreadable`: the stored URL or secret
 *         cannot be decrypted. `expired`: the site could not make an attempt within 24 hours.
 *     Webhook:
 *       type: object
 *       additionalProperties: false
 *       required:
 *         - id
 *         - url
 *         - format
 *         - streams
 *         - enabled
 *         - failing
 *         - failing_since
 *         - disabled_reason
 *         - last_error
 *         - last_success_at
 *         - created_at
 *       properties:
 *         id: { type: integer }
 *         url: { type: string, example: 'https://bot.example.org/guildhall', description: 'URL of the receiver, without its secret parts.' }
 *         format: { type: string, enum: [standard, discord] }
 *         streams: { type: array, items: { $ref: '#/components/schemas/WebhookStream' } }
 *         enabled: { type: boolean }
 *         failing: { type: boolean, description: Whether the site has given up a delivery since the last successful delivery. }
 *         failing_since: { type: string, format: date-time, nullable: true, description: When the site gave up a delivery for the first time since the last successful delivery. Null unless `failing` is true. }
 *         disabled_reason:
 *           type: string
 *           nullable: true
 *           enum: [gone, failing, null]
 *           description: >-
 *             Why the site itself turned the webhook off. `gone`: the receiver responded with 410
 *             (Discord: 404). `failing`: deliveries failed for five days. Null if the site did not
 *             turn the webhook off.
 *         last_error: { $ref: '#/components/schemas/WebhookFault' }
 *         last_success_at: { type: string, format: date-time, nullable: true }
 *         created_at: { type: string, format: date-time }
 */
export const viewHook = (hook: Webhook) => ({
  id: hook.id,
  url: hook.shownUrl,
  format: hook.format,
  streams: hook.streams,
  enabled: hook.enabled,
  failing: hook.failingSince !== null,
  failing_since: hook.failingSince,
  disabled_reason: hook.disabledReason,
  last_error: hook.lastError,
  last_success_at: hook.lastSuccessAt,
  created_at: hook.createdAt,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     MadeWebhook:
 *       type: object
 *       additionalProperties: false
 *       required: [webhook, secret]
 *       properties:
 *         webhook: { $ref: '#/components/schemas/Webhook' }
 *         secret:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Signing secret of the webhook. Shown only once. Null for the format `discord`.
 *           example: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
 */
export const viewCreatedHook = ({ hook, secret }: SavedHook) => ({
  webhook: viewHook(hook),
  secret,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     SavedWebhook:
 *       type: object
 *       additionalProperties: false
 *       required: [webhook]
 *       properties:
 *         webhook: { $ref: '#/components/schemas/Webhook' }
 *         secret:
 *           type: string
 *           description: >-
 *             New signing secret. Present only after `rotateSecret`, and shown only once.
 *           example: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
 */
export const viewSavedHook = ({ hook, secret }: SavedHook) => ({
  webhook: viewHook(hook),
  ...(secret !== null && { secret }),
});

/**
 * @openapi
 * components:
 *   schemas:
 *     WebhookTest:
 *       type: object
 *       additionalProperties: false
 *       required: [delivered, status]
 *       properties:
 *         delivered: { type: boolean, description: Whether the receiver responded with a 2xx status. }
 *         status: { type: integer, nullable: true, description: HTTP status of the receiver's response. Null if there was no response. }
 */
export const viewHookTest = ({ status, fault }: HookOutcome) => ({
  delivered: fault === null,
  status,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     WebhookDelivery:
 *       type: object
 *       additionalProperties: false
 *       required:
 *         - id
 *         - message_id
 *         - event
 *         - status
 *         - attempts
 *         - code
 *         - error
 *         - answer
 *         - next_at
 *         - created_at
 *         - delivered_at
 *       properties:
 *         id: { type: integer }
 *         message_id: { type: string, example: msg_0b8f3c1e-7d52-4f0a-9c38-2f7f6f0f1d11, description: '`Webhook-Id` of the message. The id is the same for all attempts to send the message.' }
 *         event: { type: string, example: idoc.warning, description: Stream to which the event of the message belongs. `test` for a test message. }
 *         status: { type: string, enum: [waiting, trying, delivered, failed], description: 'State of the delivery. `waiting`: the message waits for its first or next attempt. `trying`: the message is being sent now. `failed`: the site has given up the message.' }
 *         attempts: { type: integer, description: 'Number of attempts so far, including the attempts before the message was resent.' }
 *         code: { type: integer, nullable: true, description: HTTP status of the receiver's response to the last attempt. Null if there was no response., example: 503 }
 *         error: { $ref: '#/components/schemas/WebhookFault' }
 *         answer: { type: string, nullable: true, description: 'First 500 characters of the body of the receiver''s last response, without secrets. Null if there was no response.' }
 *         next_at: { type: string, format: date-time, nullable: true, description: Time of the next attempt. Null unless `status` is `waiting`. }
 *         created_at: { type: string, format: date-time }
 *         delivered_at: { type: string, format: date-time, nullable: true }
 */
export const viewDelivery = (delivery: WebhookDelivery) => ({
  id: delivery.id,
  message_id: toMessageId(delivery.messageId),
  event: delivery.stream,
  status: delivery.state,
  attempts: delivery.attempts,
  code: delivery.code,
  error: delivery.error,
  answer: delivery.answer,
  next_at: delivery.state === "waiting" ? delivery.nextAt : null,
  created_at: delivery.createdAt,
  delivered_at: delivery.deliveredAt,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     WebhookDeliveryPage:
 *       type: object
 *       additionalProperties: false
 *       required: [deliveries, total, limit, offset]
 *       properties:
 *         deliveries: { type: array, items: { $ref: '#/components/schemas/WebhookDelivery' } }
 *         total: { type: integer, description: Number of deliveries on all pages. }
 *         limit: { type: integer }
 *         offset: { type: integer }
 *     QueuedDeliveries:
 *       type: object
 *       additionalProperties: false
 *       required: [queued]
 *       properties:
 *         queued: { type: integer, description: Number of deliveries that will be sent again., example: 3 }
 */
export const viewDeliveryPage = (
  { rows, total }: DeliveryPage,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) => ({ deliveries: rows.map(viewDelivery), total, limit, offset });
