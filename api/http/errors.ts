import type { ErrorRequestHandler, Request, Response } from "express";

import { AppError, type ErrorKind, type Fault } from "../../shared/errors.ts";
import type { Logger } from "../../shared/log.ts";

const statusOf: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  limited: 429,
  upstream: 502,
  unavailable: 503,
};

/** A refusal as it goes out: the status and the contract's body. */
interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly faults?: readonly Fault[] | undefined;
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfter?: number | undefined;
}

const internalError: Refusal = { status: 500, message: "Internal Server Error" };

/** What is refused on the way, by body-parser, Express or the router, in our words. */
const typedRefusals: Readonly<Record<string, Refusal>> = {
  "method.not.allowed": { status: 405, message: "Method not allowed" },
  "entity.parse.failed": { status: 400, message: "Invalid JSON" },
  "entity.too.large": { status: 413, message: "Request body is too large" },
  "media.unsupported": { status: 415, message: "The body must be application/json" },
  "encoding.unsupported": { status: 415, message: "Unsupported content encoding" },
  "charset.unsupported": { status: 415, message: "Unsupported charset" },
  "request.aborted": { status: 400, message: "Request aborted" },
  "request.size.invalid": { status: 400, message: "Request size did not match Content-Length" },
  "stream.encoding.set": internalError,
};

function refusalOf(error: unknown): Refusal {
  if (error instanceof AppError) return refusalOfKind(error);
  if (error instanceof URIError) return { status: 400, message: "Malformed path" };
  const type = (error as { type?: unknown } | null)?.type;
  return (typeof type === "string" && typedRefusals[type]) || internalError;
}

function refusalOfKind({ kind, message, faults, extra, retryAfter }: AppError): Refusal {
  return { status: statusOf[kind], message, faults, extra, retryAfter };
}

function bodyOf(refusal: Refusal): object {
  if (refusal.status === 500) return { message: refusal.message };
  const errors = refusal.faults?.map(({ path, message }) => ({ path, message }));
  return { error: refusal.message, ...(errors && { errors }), ...refusal.extra };
}

/** RFC 9457, for clients that ask for it; the contract's own body otherwise. */
function problemOf(refusal: Refusal, request: Request): object {
  return {
    type: "about:blank",
    title: refusal.message,
    status: refusal.status,
    instance: request.path,
    ...(refusal.faults && { errors: refusal.faults }),
    ...refusal.extra,
  };
}

const prefersProblem = (request: Request): boolean =>
  request.accepts(["application/json", "application/problem+json"]) === "application/problem+json";

/** What is personal says so in its own words, which its refusals keep. */
const isUnstored = (response: Response): boolean =>
  String(response.get("Cache-Control")).includes("no-store");

function sendRefusal(error: unknown, request: Request, response: Response): void {
  const refusal = refusalOf(error);
  response.status(refusal.status);
  if (refusal.retryAfter !== undefined) response.set("Retry-After", String(refusal.retryAfter));
  if (!isUnstored(response)) response.set("Cache-Control", "no-store");
  if (prefersProblem(request)) {
    response.type("application/problem+json").send(JSON.stringify(problemOf(refusal, request)));
    return;
  }
  response.json(bodyOf(refusal));
}

/** The last handler of the app: whatever was thrown becomes an answer, the unexpected is logged. */
export function errorHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const { status } = refusalOf(error);
    const requestId: unknown = response.locals["requestId"];
    if (status === 500) log.error({ err: error, requestId }, "request failed");
    if (response.headersSent) {
      next(error);
      return;
    }
    sendRefusal(error, request, response);
  };
}
