import type { Schema } from "../http/json-schema.ts";
import type { Route } from "../http/route.ts";

/**
 * What the service itself posts to an address that it was given.
 *
 * @openapi
 * components:
 *   schemas:
 *     WebhookMessage:
 *       type: object
 *       required: [id, type, timestamp, data]
 *       properties:
 *         id: { type: string, example: msg_0b8f3c1e-7d52-4f0a-9c38-2f7f6f0f1d11, description: 'Same as `Webhook-Id`.' }
 *         type: { type: string, example: idoc.warning, description: 'Stream of the event, or `test`.' }
 *         timestamp: { type: string, format: date-time, description: When the site received the event. }
 *         data:
 *           type: object
 *           required: [ref, event]
 *           properties:
 *             ref: { type: string, example: '0x40001A2B', description: Id of the object that the event is about. }
 *             event:
 *               description: >-
 *                 The event as an anonymous caller sees it: a block of the event stream, the post, or the
 *                 run of the event. Null if such a caller sees nothing of it.
 *               type: object
 *               nullable: true
 *               anyOf:
 *                 - { $ref: '#/components/schemas/PublicEvent' }
 *                 - { $ref: '#/components/schemas/WebhookPost' }
 *                 - { $ref: '#/components/schemas/WebhookRun' }
 *     WebhookPost:
 *       type: object
 *       additionalProperties: false
 *       required: [id, slug, title, excerpt, image_url, tags, published_at, url]
 *       properties:
 *         id: { type: integer }
 *         slug: { type: string, example: the-harbour }
 *         title: { type: string, example: The harbour }
 *         excerpt: { type: string, example: It is open. }
 *         image_url: { type: string, nullable: true, example: 'https://example.org/harbour.png' }
 *         tags: { type: array, items: { type: string, example: harbour } }
 *         published_at: { type: string, format: date-time, nullable: true }
 *         url: { type: string, example: 'https://example.org/news/the-harbour' }
 *     WebhookRun:
 *       type: object
 *       description: A run of an event. A notice of staff (`site.notice`) has no `kind`.
 *       additionalProperties: false
 *       required: [runId, title, slug, eventUrl, startedAt, endedAt]
 *       properties:
 *         kind: { $ref: '#/components/schemas/WebhookStream' }
 *         runId: { type: integer }
 *         title: { type: string, example: The harbour fair }
 *         slug: { type: string, example: harbour-fair }
 *         eventUrl: { type: string, example: 'https://example.org/events/harbour-fair?run=7' }
 *         startedAt: { type: string, format: date-time, nullable: true }
 *         endedAt: { type: string, format: date-time, nullable: true }
 */
export const callbacksOf = ({ posts }: Pick<Route, "posts">): object =>
  posts === undefined
    ? {}
    : { callbacks: { message: { "{$request.body#/url}": { post: post(posts) } } } };

const header = (name: string, description: string): Schema => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
});

const post = (component: string): Schema => ({
  operationId: `on${component}`,
  tags: ["Webhooks"],
  summary: "Receive a message",
  description:
    "Respond with any 2xx to accept the message. 410 turns the webhook off. After any other " +
    "response, or none, the message is sent again up to eight times within a day, with the same " +
    "`Webhook-Id`: use it to ignore duplicates. The order of messages is not guaranteed.",
  parameters: [
    header("Webhook-Id", "Id of the message. It is the same for every attempt."),
    header("Webhook-Timestamp", "Time of this attempt, in epoch seconds."),
    header(
      "Webhook-Signature",
      "`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`. For a day after the secret " +
        "was replaced there are two signatures, separated by a space.",
    ),
  ],
  requestBody: {
    required: true,
    content: { "application/json": { schema: { $ref: `#/components/schemas/${component}` } } },
  },
  // The receiver knows us by the signature.
  security: [],
  responses: {
    "2XX": { description: "The message is accepted." },
    410: { description: "The webhook is turned off." },
  },
});
