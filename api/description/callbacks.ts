import type { Schema } from "../http/json-schema.ts";
import type { Route } from "../http/route.ts";

/**
 * Describes the messages that the service posts to the addresses of webhooks.
 *
 * @openapi
 * components:
 *   schemas:
 *     WebhookMessage:
 *       type: object
 *       required: [id, type, timestamp, data]
 *       properties:
 *         id: { type: string, example: msg_0b8f3c1e-7d52-4f0a-9c38-2f7f6f0f1d11, description: 'Id of the message, the same value as in the header `Webhook-Id`.' }
 *         type: { type: string, example: idoc.warning, description: Stream to which the event of the message belongs. `test` for a test message. }
 *         timestamp: { type: string, format: date-time, description: When the site received the event. }
 *         data:
 *           type: object
 *           required: [ref, event]
 *           properties:
 *             ref: { type: string, example: '0x40001A2B', description: Id of the object that the event concerns. }
 *             event:
 *               description: >-
 *                 Data of the event, as anonymous callers can see it. Depending on `type`, an event
 *                 as in the public event stream, a post, or a run of an event. Null if anonymous
 *                 callers cannot see the data.
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
 *       description: >-
 *         A run of an event. `kind` is absent if the message is a notice from staff
 *         (`site.notice`).
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
export const describeCallbacks = ({ posts }: Pick<Route, "posts">): object =>
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
    "Respond with any 2xx status to accept the message. A response with 410 turns the webhook " +
    "off. After any other response, or if there is no response, the site sends the message " +
    "again, up to eight times within a day. All attempts for a message have the same " +
    "`Webhook-Id`, so that the receiver can ignore duplicates. The order of messages is not " +
    "guaranteed.",
  parameters: [
    header(
      "Webhook-Id",
      "Id of the message. The id is the same for all attempts to send the message.",
    ),
    header("Webhook-Timestamp", "Time of this attempt to send the message, in epoch seconds."),
    header(
      "Webhook-Signature",
      "`v1,` followed by the HMAC-SHA256 of `id.timestamp.body` in base64. For 24 hours after " +
        "the signing secret was replaced, the header contains two signatures, separated by a " +
        "space.",
    ),
  ],
  requestBody: {
    required: true,
    content: { "application/json": { schema: { $ref: `#/components/schemas/${component}` } } },
  },
  // A message to a webhook has no credential: the receiver verifies its signature.
  security: [],
  responses: {
    "2XX": { description: "The receiver accepts the message." },
    410: { description: "The receiver no longer wants messages; the site turns the webhook off." },
  },
});
