import { type ErrorCode, errorCodes } from "./error-codes.ts";
import type { ErrorKind } from "./error-kinds.ts";

export interface Fault {
  readonly path: string;
  readonly message: string;
  readonly code?: string;
}

export interface ErrorDetails {
  readonly faults?: readonly Fault[];
  /** Additional fields of the response body, such as `trustLimitError`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Seconds after which the client should retry. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** An error that the response reports to the caller, by code and message. */
export class AppError extends Error {
  readonly errorCode: ErrorCode;
  readonly kind: ErrorKind;
  readonly faults: readonly Fault[] | undefined;
  readonly extra: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = "AppError";
    this.errorCode = code;
    this.kind = errorCodes[code].kind;
    this.faults = details.faults;
    this.extra = details.extra;
    this.retryAfter = details.retryAfter;
  }
}

/** Creates the error for a request whose fields contradict each other. */
export const invalidRequestError = (message: string): AppError =>
  new AppError("invalid_request", message);

/** Creates the error for a failed validation, with all faults. */
export const invalidFieldsError = (faults: readonly Fault[]): AppError =>
  new AppError("validation_failed", "Validation failed", { faults });

/** Creates the error for a request without the session that the route requires. */
export const unauthenticatedError = (): AppError =>
  new AppError("not_authenticated", "Not authenticated");

/** Creates the error for an API token that calls an operation for signed-in users only. */
export const sessionRequiredError = (): AppError =>
  new AppError("session_required", "API tokens cannot call this operation: sign in");

/** Creates the error for an unknown path. Paths that scanners try get the same response. */
export const unknownPathError = (): AppError => new AppError("unknown_path", "Not found");

/** Creates the error for a path that names an object that does not exist. */
export const notFoundError = (message = "Not found"): AppError =>
  new AppError("not_found", message);

/** Copies an error without its extra fields: database errors contain parameters, rows and user input. */
export function stripErrorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const { errors } = error as { readonly errors?: unknown };
  const code = codeOf(error);
  const among = Array.isArray(errors) ? errors.filter((each) => each instanceof Error) : [];
  return Object.assign(new Error(message), {
    name,
    stack,
    ...(code !== undefined && { code }),
    ...(cause !== undefined && { cause: stripErrorFields(cause) }),
    ...(among.length > 0 && { errors: among.map(stripErrorFields) }),
  });
}

/** Sequelize wraps the database's error, and the wrapper has no code. */
function codeOf(error: Error): unknown {
  const { code, original } = error as { readonly code?: unknown; readonly original?: unknown };
  return code ?? (original as { readonly code?: unknown } | undefined)?.code;
}
