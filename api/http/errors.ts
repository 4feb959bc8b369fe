import type { ErrorRequestHandler, Request, Response } from "express";

import {
  DatabaseUnavailableError,
  isDatabaseUnavailable,
} from "../../shared/platform/db/connection/database-unavailable.ts";
import type { ErrorCode } from "../../shared/platform/errors/error-codes.ts";
import type { ErrorKind } from "../../shared/platform/errors/error-kinds.ts";
import { AppError } from "../../shared/platform/errors/errors.ts";
import type { ApiContext } from "../context.ts";
import { readRequestLogFields } from "./request-facts.ts";
import type { RefusalPage, Route } from "./route.ts";
import { pageHeaders } from "./security-headers.ts";
import { isSiteClosedCode } from "./site-gate.ts";

/** The HTTP status of each kind of refusal. */
export const statusByErrorKind: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  wrongMethod: 405,
  tooSlow: 408,
  conflict: 409,
  unmet: 412,
  tooLarge: 413,
  wrongType: 415,
  wrongRange: 416,
  wrongExpectation: 417,
  limited: 429,
  headTooLarge: 431,
  internal: 500,
  upstream: 502,
  unavailable: 503,
};

interface RefusalText {
  readonly code: ErrorCode;
  readonly message: string;
}

const internalError: RefusalText = { code: "internal_error", message: "Internal Server Error" };

/** Our codes and texts for body-parser's error types. */
const bodyParserRefusals: Readonly<Record<string, RefusalText>> = {
  "entity.parse.failed": { code: "malformed_body", message: "Invalid JSON" },
  "entity.too.large": { code: "body_too_large", message: "Request body is too large" },
  "encoding.unsupported": {
    code: "unsupported_media_type",
    message: "Unsupported content encoding",
  },
  "charset.unsupported": { code: "unsupported_media_type", message: "Unsupported charset" },
  "request.aborted": { code: "malformed_body", message: "Request aborted" },
  "request.size.invalid": {
    code: "malformed_body",
    message: "Request size did not match Content-Length",
  },
};

/** Returns the error itself if it is a refusal, otherwise a refusal that hides the error. */
function refusalOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseUnavailable(error)) return databaseAway(error);
  const { code, message } = refusalTextOf(error);
  return new AppError(code, message, { cause: error });
}

/** Seconds until a client may retry during an outage: enough for a failover that is detected at once. */
const retryAfterSeconds = 5;

const databaseAway = (cause: unknown): AppError =>
  new AppError("database_unavailable", "The database cannot be used at present", {
    cause,
    retryAfter: retryAfterSeconds,
  });

function refusalTextOf(error: unknown): RefusalText {
  if (error instanceof URIError) return { code: "malformed_path", message: "Malformed path" };
  const type = (error as { type?: unknown } | null)?.type;
  return (typeof type === "string" && bodyParserRefusals[type]) || refusedFile(error);
}

/** Returns the refusal for a file that cannot be sent because of the request's condition or range. */
function refusedFile(error: unknown): RefusalText {
  const { status } = (error ?? {}) as { readonly status?: unknown };
  if (status === 412) return { code: "precondition_failed", message: "Precondition failed" };
  if (status === 416) return { code: "range_not_satisfiable", message: "Range not satisfiable" };
  return internalError;
}

/**
 * @openapi
 * components:
 *   schemas:
 *     Error:
 *       type: object
 *       required: [error]
 *       properties:
 *         error:
 *           type: string
 *           description: >-
 *             Reason for the refusal, for people. Programs use the error code in the header
 *             `X-Error-Code` instead.
 *           example: Forbidden
 *         errors: { type: array, items: { $ref: '#/components/schemas/Fault' } }
 *         current: { $ref: '#/components/schemas/Current' }
 *     Current:
 *       type: object
 *       nullable: true
 *       description: >-
 *         Only with the error code `stale_revision`: the object as it is now, as its `GET`
 *         operation returns it.
 *       additionalProperties: true
 *     Fault:
 *       type: object
 *       required: [path, message]
 *       properties:
 *         path:
 *           type: string
 *           description: Path of the invalid parameter or field, with dots between nested names.
 *           example: limit
 *         message:
 *           type: string
 *           description: The rule that the field breaks.
 *           example: limit must be less than or equal to 100
 *     PointedFaults:
 *       type: object
 *       additionalProperties: false
 *       required: [errors]
 *       properties:
 *         errors: { type: array, minItems: 1, items: { $ref: '#/components/schemas/PointedFault' } }
 *         current: { $ref: '#/components/schemas/Current' }
 *     PointedFault:
 *       type: object
 *       additionalProperties: false
 *       required: [path, code, message]
 *       properties:
 *         path:
 *           type: string
 *           description: JSON pointer to the invalid field of the request.
 *           example: /spec/phases/0/steps/1/actionId
 *         code: { $ref: '#/components/schemas/FaultCode' }
 *         message: { type: string, example: actionId names no action of the catalogue }
 *     EventFaults:
 *       description: >-
 *         Faults with JSON pointers to the invalid fields. If an id in the path is malformed, the
 *         body is a `ValidationError` instead.
 *       anyOf:
 *         - { $ref: '#/components/schemas/PointedFaults' }
 *         - { $ref: '#/components/schemas/ValidationError' }
 *     ValidationError:
 *       type: object
 *       required: [error]
 *       properties:
 *         error: { type: string, example: Validation failed }
 *         errors: { type: array, items: { $ref: '#/components/schemas/Fault' } }
 */
export function toErrorBody({ kind, message, faults, extra }: AppError): object {
  if (kind === "internal") return { message };
  if (faults?.every(({ code }) => code !== undefined)) return { errors: faults, ...extra };
  const errors = faults?.map(({ path, message: rule }) => ({ path, message: rule }));
  return { error: message, ...(errors && { errors }), ...extra };
}

/**
 * Creates the body of a refusal: `problem+json` of RFC 9457 for clients that request it, and the
 * service's own format for others.
 *
 * @openapi
 * components:
 *   schemas:
 *     Problem:
 *       type: object
 *       description: >-
 *         Body of a refusal in the format of RFC 9457. Sent if the request's `Accept` header
 *         prefers `application/problem+json`.
 *       required: [type, title, status, code, instance]
 *       properties:
 *         type: { type: string, enum: [about:blank] }
 *         title: { type: string, description: 'Reason for the refusal, for people.' }
 *         status: { type: integer }
 *         code: { $ref: '#/components/schemas/ErrorCode' }
 *         instance: { type: string, description: URL path of the request. }
 *         errors: { type: array, items: { $ref: '#/components/schemas/Fault' } }
 */
function problemOf(refusal: AppError, request: Request): object {
  return {
    type: "about:blank",
    title: refusal.message,
    status: statusByErrorKind[refusal.kind],
    code: refusal.errorCode,
    instance: withoutReportKey(request.path),
    ...(refusal.faults && { errors: refusal.faults }),
    ...refusal.extra,
  };
}

/** Masks the key in the path to which a game sends its reports. */
const withoutReportKey = (path: string): string => path.replaceAll(/ghr_[\w-]*/g, "ghr_…");

const prefersProblem = (request: Request): boolean =>
  request.accepts(["application/json", "application/problem+json"]) === "application/problem+json";

/** Returns true if the headers already forbid storing the answer, as on personal paths. */
const hasNoStore = (response: Response): boolean =>
  String(response.get("Cache-Control")).includes("no-store");

const prefersPage = (request: Request): boolean =>
  request.accepts(["application/json", "text/html"]) === "text/html";

function pageFor(status: number, request: Request, response: Response): RefusalPage | undefined {
  const { refusalPage } = routeOf(response);
  return refusalPage && prefersPage(request) ? refusalPage(status) : undefined;
}

/** Returns the reason of a refusal that `refuseInWords` handles; undefined for any other refusal. */
function refusalReason({ errorCode }: AppError): "closed" | "unavailable" | undefined {
  if (errorCode === "database_unavailable") return "unavailable";
  return isSiteClosedCode(errorCode) ? "closed" : undefined;
}

const routeOf = ({ locals }: Response): Partial<Route> => (locals["route"] ?? {}) as Partial<Route>;

async function sendRefusal(refusal: AppError, request: Request, response: Response): Promise<void> {
  response.status(statusByErrorKind[refusal.kind]);
  response.set("X-Error-Code", refusal.errorCode);
  if (refusal.retryAfter !== undefined) response.set("Retry-After", String(refusal.retryAfter));
  if (!hasNoStore(response)) response.set("Cache-Control", "no-store");
  const page = pageFor(statusByErrorKind[refusal.kind], request, response);
  if (typeof page === "string") {
    response.set(pageHeaders).type("html").send(page);
    return;
  }
  if (page) {
    await page(response);
    return;
  }
  if (prefersProblem(request)) {
    response.type("application/problem+json").send(JSON.stringify(problemOf(refusal, request)));
    return;
  }
  response.json({ ...toErrorBody(refusal), ...routeOf(response).refusalFields?.(refusal) });
}

/** The app's last error handler. It sends a refusal for every error and logs unexpected ones. */
export function errorHandler(context: ApiContext): ErrorRequestHandler {
  const { log, database } = context;
  return async (error: unknown, request, response, next) => {
    const refusal = refusalOf(error);
    const { kind, errorCode } = refusal;
    // An outage that is already known is neither logged nor reported again.
    const isNewOutage =
      errorCode === "database_unavailable" && !(error instanceof DatabaseUnavailableError);
    if (isNewOutage) database.suspect(error);
    if (kind === "internal" || isNewOutage) {
      const status = response.headersSent ? response.statusCode : statusByErrorKind[kind];
      log.error(
        { ...readRequestLogFields(request, response), status, err: error },
        "request failed",
      );
    }
    if (response.headersSent) {
      next(error);
      return;
    }
    const reason = refusalReason(refusal);
    const { refuseInWords } = routeOf(response);
    if (reason && refuseInWords) refuseInWords(reason, { request, response }, context);
    else await sendRefusal(refusal, request, response);
  };
}
