import { type ErrorCode, errorCodes } from "../../shared/platform/errors/error-codes.ts";
import { statusByErrorKind } from "../http/errors.ts";
import { needsSession } from "../http/gates.ts";
import { type AnswerHeader, describeHeaders } from "../http/headers.ts";
import type { Schema } from "../http/json-schema.ts";
import { hasLimitHeaders } from "../http/limiters.ts";
import type { AnswerShape, Route } from "../http/route.ts";
import { findMediaTypeSchema, refusalPageSchema } from "./media.ts";

const refOf = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

interface Refusal {
  readonly name: string;
  readonly description: string;
  readonly shape: string;
  /** The error text and code in the example. */
  readonly example: string;
  readonly code: ErrorCode;
  readonly isRetried?: true;
}

/** CATALOGUE of refusals by status. */
export const refusalsByStatus: Readonly<Record<number, Refusal>> = {
  400: {
    name: "BadInput",
    description:
      "The request is not valid. `errors` lists each invalid field and the rule that it breaks.",
    shape: "ValidationError",
    example: "Validation failed",
    code: "validation_failed",
  },
  401: {
    name: "NotSignedIn",
    description: "The request has no valid session, or the sign-in failed.",
    shape: "Error",
    example: "Not authenticated",
    code: "not_authenticated",
  },
  403: {
    name: "NotAllowed",
    description: "The caller may not call the operation. The error code gives the reason.",
    shape: "Error",
    example: "Forbidden",
    code: "role_required",
  },
  404: {
    name: "NotFound",
    description:
      "The object does not exist, the caller may not see it, or the feature to which it belongs " +
      "is turned off.",
    shape: "Error",
    example: "Not found",
    code: "not_found",
  },
  409: {
    name: "Conflict",
    description:
      "The request conflicts with the current state of the object. The error code gives the " +
      "reason.",
    shape: "Error",
    example: "The name or account is already in use",
    code: "name_taken",
  },
  413: {
    name: "TooLarge",
    description: "The body is larger than the API accepts.",
    shape: "Error",
    example: "Request body is too large",
    code: "body_too_large",
  },
  415: {
    name: "WrongMediaType",
    description: "The body is not `application/json`, is compressed or has an unsupported charset.",
    shape: "Error",
    example: "The body must be application/json",
    code: "unsupported_media_type",
  },
  429: {
    name: "TooMany",
    description: "The caller has sent too many requests. Retry after `Retry-After` seconds.",
    shape: "Error",
    example: "Too many requests",
    code: "rate_limited",
    isRetried: true,
  },
  500: {
    name: "InternalError",
    description:
      "The service failed. Report the `X-Request-Id` to the operator, who can find the details " +
      "in the log with it.",
    shape: "Message",
    example: "Internal Server Error",
    code: "internal_error",
  },
  502: {
    name: "BadGateway",
    description: "The game server or the sign-in provider failed or sent an invalid response.",
    shape: "Error",
    example: "The game server uses another protocol version",
    code: "shard_protocol_mismatch",
  },
  503: {
    name: "Unavailable",
    description:
      "The site is in maintenance or closed (in both cases `error` contains the site's message), " +
      "the game server or the database cannot be reached, or too many requests are waiting. " +
      "Retry after `Retry-After` seconds.",
    shape: "Error",
    example: "The site is in maintenance",
    code: "site_maintenance",
    isRetried: true,
  },
};

/** The descriptions of answers other than refusals. */
const reasons: Readonly<Record<string, string>> = {
  200: "Success",
  201: "Created",
  202: "Accepted; a job does the work",
  302: "Redirect",
  304: "Not modified",
};

/** Returns the refusals that many routes share, as components. */
export const sharedAnswers = (): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    Object.entries(refusalsByStatus).map(([status, refusal]) => [
      refusal.name,
      sharedAnswer(Number(status), refusal),
    ]),
  );

function sharedAnswer(status: number, refusal: Refusal): Schema {
  const { description, shape, example, isRetried } = refusal;
  const text = shape === "Message" ? { message: example } : { error: example };
  const faults = status === 400 && {
    errors: [{ path: "limit", message: "limit must be less than or equal to 100" }],
  };
  return {
    description:
      `${description} The API has these error codes with status ${status}: ${codesOf(status).join(", ")}. An ` +
      "operation returns only the codes that apply to the operation.",
    headers: describeHeaders([...refusedWith, ...(isRetried ? (["Retry-After"] as const) : [])]),
    content: {
      "application/json": { schema: refOf(shape), example: { ...text, ...faults } },
      ...problemContent(status, refusal, faults || {}),
    },
  };
}

/** A refusal in the format of RFC 9457, which every client can request. */
const problemContent = (
  status: number,
  { example: title, code }: Refusal,
  more: object = {},
): Schema => ({
  "application/problem+json": {
    schema: refOf("Problem"),
    example: {
      type: "about:blank",
      title,
      status,
      code,
      instance: "/api/v1/public/shard/market",
      ...more,
    },
  },
});

const refusedWith = ["X-Request-Id", "X-Error-Code"] as const;

const codesOf = (status: number): string[] =>
  Object.entries(errorCodes)
    .filter(([, { kind }]) => statusByErrorKind[kind] === status)
    .map(([code]) => `\`${code}\``);

/** Returns every answer of a route: the declared ones and the refusals of the request pipeline. */
export function describeAnswers(route: Route): Schema {
  const answers = { ...pipelineRefusals(route), ...route.answers };
  return Object.fromEntries(
    Object.entries(answers).map(([status, shape]) => [
      status,
      answerOf(route, Number(status), shape),
    ]),
  );
}

function answerOf(route: Route, status: number, shape: AnswerShape): Schema {
  const refusal = refusalsByStatus[status];
  if (refusal && (shape === refusal.shape || shape === "Error")) {
    if (route.refusalPage?.(status) !== undefined) return withPage(sharedAnswer(status, refusal));
    return { $ref: `#/components/responses/${refusal.name}` };
  }
  return {
    description: refusal?.description ?? reasons[status] ?? "Response",
    headers: describeHeaders(headersFor(route, status, shape)),
    ...(shape !== "" && {
      content: { ...contentOf(shape), ...(refusal && problemContent(status, refusal)) },
    }),
  };
}

/** Adds the HTML page that browsers get instead of the JSON refusal when they navigate. */
const withPage = ({ content, ...rest }: Schema): Schema => ({
  ...rest,
  content: { ...(content as Schema), "text/html": refusalPageSchema },
});

function headersFor(route: Route, status: number, shape: AnswerShape): AnswerHeader[] {
  const names: AnswerHeader[] = [
    ...(status < 400 ? (["X-Request-Id"] as const) : refusedWith),
    ...(route.sends?.[status] ?? []),
  ];
  if (shape === "AcceptedJob") names.push("Location", "Preference-Applied", "Retry-After");
  if (status === 302) names.push("Location");
  if (hasLimitHeaders(route)) names.push("RateLimit", "RateLimit-Policy");
  if (route.successor) names.push("Deprecation", "Sunset", "Link");
  return names;
}

/**
 * Returns the refusals that no route declares: for bans, site mode, limits, gate, body checks and the game
 * server.
 */
function pipelineRefusals(route: Route): Record<number, string> {
  const { gate, limiters, confirms } = route;
  return {
    // Every route can refuse a malformed path. It can also refuse a request body, even if it declares none.
    400: "ValidationError",
    413: "Error",
    415: "Error",
    // The API passes on the refusals of the game server.
    ...(502 in route.answers && {
      404: "Error",
      409: "Error",
      429: "Error",
    }),
    ...(needsSession(gate) && { 401: "Error" }),
    // Every route refuses clients with a banned IP address.
    403: "Error",
    ...(gate.startsWith("feature:") && { 404: "Error" }),
    ...((limiters || confirms) && { 429: "Error" }),
    500: "Message",
    // The site can be closed, the database unavailable, or the number of expensive requests too high.
    503: "Error",
  };
}

function contentOf(shape: AnswerShape): Schema {
  if (typeof shape === "object" && "oneOf" in shape) {
    return Object.assign({}, ...shape.oneOf.map(contentOf)) as Schema;
  }
  if (typeof shape === "object" && "mediaType" in shape) {
    const { of, mediaType } = shape;
    return {
      [mediaType]: of === undefined ? findMediaTypeSchema(mediaType) : { schema: refOf(of) },
    };
  }
  return { "application/json": { schema: schemaOf(shape) } };
}

function schemaOf(shape: AnswerShape): Schema {
  if (typeof shape === "string") return refOf(shape);
  if ("listOf" in shape) return { type: "array", items: schemaOf(shape.listOf) };
  if ("mediaType" in shape || "oneOf" in shape) return { type: "string" };
  return {
    type: "object",
    additionalProperties: false,
    required: [shape.enveloped],
    properties: { [shape.enveloped]: schemaOf(shape.shape) },
  };
}
