import type { Schema } from "./json-schema.ts";

/** CATALOGUE of the request headers of routes. */
export const requestHeaders = {
  "Idempotency-Key": {
    description:
      "Idempotency key that the client chooses, such as a UUID. The game server carries out a " +
      "command with the same key only once and remembers its success for 24 hours, so a client " +
      "can safely repeat the request after a timeout. Keys of different callers and of different " +
      "operations are independent of each other. If the key was already used with a different " +
      "request, the response is 409 `idempotency_conflict`.",
    schema: { type: "string", example: "0f8b7a3e-kick-1" },
  },
  Prefer: {
    description:
      "With `respond-async`, the service immediately responds with 202 and the URL of the job in " +
      "`Location`. With `respond-async, wait=5`, the service responds with the result if the job " +
      "ends within 5 seconds, otherwise with 202. The maximum for `wait` is 20 seconds (RFC " +
      "7240). Without the header, the request waits for the result; the response is 202 only if " +
      "the service restarts during the wait.",
    schema: { type: "string", example: "respond-async, wait=5" },
  },
  "Last-Event-ID": {
    description:
      "Id of the last block that the client received. The stream starts with the first event " +
      "after this id. A browser's EventSource sends the header automatically. The header takes " +
      "precedence over the parameter `lastEventId`.",
    schema: { type: "string", example: "48210" },
  },
  "If-None-Match": {
    description:
      "`ETag` of the copy that the client has stored. If the content has not changed, the " +
      "response is 304 without a body.",
    schema: { type: "string", example: `"${"0a".repeat(32)}"` },
  },
} as const satisfies Readonly<Record<string, Schema>>;

export type RequestHeader = keyof typeof requestHeaders;

/** CATALOGUE of the answer headers, without those of every HTTP answer. */
export const answerHeaders = {
  "X-Request-Id": {
    description:
      "Id of the request, as in the service's log and in the log of the shard. Quote the id when " +
      "you report a problem.",
    schema: { type: "string", example: "5b1f6c1e-8f0a-4f5e-9a34-0f6a4f0f3b21" },
  },
  "X-Error-Code": {
    description:
      "Error code of the refusal, for programs. The code stays the same when the error text " +
      "changes.",
    schema: { $ref: "#/components/schemas/ErrorCode" },
  },
  "Retry-After": {
    description: "Number of seconds to wait before the client retries.",
    schema: { type: "integer", minimum: 0, example: 30 },
  },
  RateLimit: {
    description:
      "Number of requests that remain until the limit is reached (`r`), and seconds until the " +
      "limit resets (`t`).",
    schema: { type: "string", example: '"market";r=118;t=42' },
  },
  "RateLimit-Policy": {
    description: "Name of the rate limit, and the number of requests that it allows (`q`).",
    schema: { type: "string", example: '"market";q=120' },
  },
  Location: {
    description:
      "URL to which the browser is redirected (a page, a sign-in provider or a picture) or, with " +
      "202, URL of the job.",
    schema: {
      type: "string",
      format: "uri-reference",
      example: "/api/v1/admin/jobs/3f1c1d0e-1b9f-4c37-9d2c-7d9a3b1c5e10",
    },
  },
  "Preference-Applied": {
    description: "`respond-async` if the service responded as the header `Prefer` asked.",
    schema: { type: "string", enum: ["respond-async"] },
  },
  "Set-Cookie": {
    description:
      "Sets the cookie of the session, the sign-in challenge or the trusted browser, and clears " +
      "cookies that are no longer valid. Scripts cannot read these cookies.",
    schema: { type: "string", example: "__Host-session=…; Path=/; Secure; HttpOnly; SameSite=Lax" },
  },
  "Content-Disposition": {
    description: "The browser saves the response as a file with this name.",
    schema: { type: "string", example: 'attachment; filename="own-data.json"' },
  },
  ETag: {
    description:
      "Version of the content. Send this value as `If-None-Match` to fetch the content only if " +
      "it has changed.",
    schema: { type: "string", example: `"${"0a".repeat(32)}"` },
  },
  Deprecation: {
    description:
      "Time at which the operation was deprecated: `@` and epoch seconds (RFC 9745). The headers " +
      "`Deprecation`, `Sunset` and `Link` are part of every response of the operation, including " +
      "errors.",
    schema: { type: "string", example: "@1764547200" },
  },
  Sunset: {
    description: "Earliest time at which the operation may be removed (RFC 8594).",
    schema: { type: "string", example: "Wed, 01 Dec 2027 00:00:00 GMT" },
  },
  Link: {
    description:
      "Path of the operation that replaces the deprecated operation, with the relation " +
      "`successor-version`.",
    schema: { type: "string", example: '</api/v1/auth/me/account>; rel="successor-version"' },
  },
} as const satisfies Readonly<Record<string, Schema>>;

export type AnswerHeader = keyof typeof answerHeaders;

/** Returns references to the components of these headers. */
export const describeHeaders = (names: readonly AnswerHeader[]): Schema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
