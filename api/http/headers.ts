import type { Schema } from "./json-schema.ts";

/** CATALOGUE of request headers that a route may take. */
export const requestHeaders = {
  "Idempotency-Key": {
    description:
      "A text of the client's own, of its choice. The same request under the same key is carried " +
      "out once, however often it is sent: send it again after a time-out. Another request under " +
      "a key that was used is 409.",
    schema: { type: "string", example: "0f8b7a3e-kick-1" },
  },
  Prefer: {
    description:
      "`respond-async` answers 202 with the job's address at once, `respond-async, wait=5` only " +
      "when there is no result within 5 seconds (RFC 7240). Without it the answer is the result.",
    schema: { type: "string", example: "respond-async, wait=5" },
  },
  "Last-Event-ID": {
    description:
      "The id of the last block that was seen, which a browser's EventSource sends by itself. " +
      "What was missed since is sent first. It wins over `lastEventId` of the address.",
    schema: { type: "string", example: "48210" },
  },
  "If-None-Match": {
    description: "The `ETag` of a copy the client holds: 304 while it is still good.",
    schema: { type: "string", example: `"${"0a".repeat(32)}"` },
  },
} as const satisfies Readonly<Record<string, Schema>>;

export type RequestHeader = keyof typeof requestHeaders;

/** CATALOGUE of the headers of answers, beside those of every answer over HTTP. */
export const answerHeaders = {
  "X-Request-Id": {
    description: "Names the request in the service's logs and on the shard. Quote it in reports.",
    schema: { type: "string", example: "5b1f6c1e-8f0a-4f5e-9a34-0f6a4f0f3b21" },
  },
  "X-Error-Code": {
    description: "What refused the request, for programs: it stays when the words change.",
    schema: { $ref: "#/components/schemas/ErrorCode" },
  },
  "Retry-After": {
    description: "Seconds to wait before asking again.",
    schema: { type: "integer", minimum: 0, example: 30 },
  },
  RateLimit: {
    description: "What is left of the limit, and the seconds until it is whole again.",
    schema: { type: "string", example: '"market";r=118;t=42' },
  },
  "RateLimit-Policy": {
    description: "The limit that was counted, and how much it allows.",
    schema: { type: "string", example: '"market";q=120' },
  },
  Location: {
    description:
      "Where the answer points: the page or the provider to go on at, the job of an import, the " +
      "bytes of a picture.",
    schema: {
      type: "string",
      format: "uri-reference",
      example: "/api/v1/admin/jobs/3f1c1d0e-1b9f-4c37-9d2c-7d9a3b1c5e10",
    },
  },
  "Preference-Applied": {
    description: "`respond-async` where the request's `Prefer` was followed.",
    schema: { type: "string", enum: ["respond-async"] },
  },
  "Set-Cookie": {
    description:
      "The session, the challenge or the trust in a browser; cookies that ended are cleared. " +
      "Browsers keep them by themselves, and no script can read them.",
    schema: { type: "string", example: "__Host-session=…; Path=/; Secure; HttpOnly; SameSite=Lax" },
  },
  "Content-Disposition": {
    description: "That the answer is to be kept as a file, and its name.",
    schema: { type: "string", example: 'attachment; filename="own-data.json"' },
  },
  ETag: {
    description: "Names these bytes, for `If-None-Match`.",
    schema: { type: "string", example: `"${"0a".repeat(32)}"` },
  },
  Deprecation: {
    description:
      "Since when the route is replaced: seconds after `@` (RFC 9745). On refusals too, like " +
      "`Sunset` and `Link`.",
    schema: { type: "string", example: "@1764547200" },
  },
  Sunset: {
    description: "Until when the route is kept at least (RFC 8594).",
    schema: { type: "string", example: "Wed, 01 Dec 2027 00:00:00 GMT" },
  },
  Link: {
    description: "The route that replaces this one, as `successor-version`.",
    schema: { type: "string", example: '</api/v1/auth/me/account>; rel="successor-version"' },
  },
} as const satisfies Readonly<Record<string, Schema>>;

export type AnswerHeader = keyof typeof answerHeaders;

/** The headers of an answer, by reference to their components. */
export const headersOf = (names: readonly AnswerHeader[]): Schema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
