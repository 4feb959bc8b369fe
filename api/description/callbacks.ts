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
 *         id: { type: string, example: msg_0b8f3c1e-7d52-4f0a-9c38-2f7f6f0f1d11, description: 'As in `Webhook-Id`.' }
 *         type: { type: string, example: idoc.warning, description: 'A stream, or `test`.' }
 *         timestamp: { type: string, format: date-time, description: When the site learnt of it. }
 *         data:
 *           type: object
 *           required: [ref, event]
 *           properties:
 *             ref: { type: string, example: '0x40001A2B', description: What it tells of. }
 *             event:
 *               description: >-
 *                 What an anonymous caller would see of it, as the event stream has it, or the post or
 *                 the event's run; null where that is nothing but `ref`.
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
 *       description: A run of an event; a notice has no `kind`.
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
  summary: "Something happened",
  description:
    "Any answer of 2xx takes the message. 410 switches the webhook off; after any other, or none, it is " +
    "sent again, up to eight times within a day, under the same id: compare ids to take each once.",
  parameters: [
    header("Webhook-Id", "The same however often the message is sent."),
    header("Webhook-Timestamp", "Of this try, in seconds since 1970."),
    header(
      "Webhook-Signature",
      "`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`; several, separated by spaces, for " +
        "a day after the secret was changed.",
    ),
  ],
  requestBody: {
    required: true,
    content: { "application/json": { schema: { $ref: `#/components/schemas/${component}` } } },
  },
  // The receiver knows us by the signature.
  security: [],
  responses: {
    "2XX": { description: "The message is taken." },
    410: { description: "The webhook is switched off." },
  },
});
