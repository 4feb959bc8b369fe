import { type ErrorCode, errorCodes } from "./error-codes.ts";
import type { ErrorKind } from "./error-kinds.ts";

/** One fault of an input: where it is and which rule it broke. */
export interface Fault {
  readonly path: string;
  readonly message: string;
  readonly code?: string;
}

export interface ErrorDetails {
  /** Each fault by its path; answered beside the message. */
  readonly faults?: readonly Fault[];
  /** Fields that the contract prints beside `error`, such as `trustLimitReached`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Seconds after which trying again makes sense. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** What went wrong, in the words of whatever was thrown. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** A refusal that the caller is told about: its code for programs, and the words given here. */
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

/** A request that contradicts itself. */
export const invalid = (message: string): AppError => new AppError("invalid_request", message);

/** The one shape of a failed validation: every fault named at once. */
export const invalidFields = (faults: readonly Fault[]): AppError =>
  new AppError("validation_failed", "Validation failed", { faults });

/** A gate that asks for a session met none. */
export const unauthenticated = (): AppError =>
  new AppError("not_authenticated", "Not authenticated");

/** What people do for themselves, and no program by its token. */
export const sessionRequired = (): AppError =>
  new AppError("session_required", "Not by an API token: sign in");

/** Nothing is served at a path; also for what scanners try, which must look the same. */
export const unknownPath = (): AppError => new AppError("unknown_path", "Not found");

/** What a path names does not exist. */
export const missing = (message = "Not found"): AppError => new AppError("not_found", message);

/**
 * An error as it may be written down: what went wrong and where. A database's own error also holds
 * the values it was given, and whole rows: names as people typed them, hashes, addresses.
 */
export function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const { errors } = error as { readonly errors?: unknown };
  const code = codeOf(error);
  const among = Array.isArray(errors) ? errors.filter((each) => each instanceof Error) : [];
  return Object.assign(new Error(message), {
    name,
    stack,
    ...(code !== undefined && { code }),
    ...(cause !== undefined && { cause: plainError(cause) }),
    ...(among.length > 0 && { errors: among.map(plainError) }),
  });
}

/** A database's error comes wrapped, and the wrapping has no code of its own. */
function codeOf(error: Error): unknown {
  const { code, original } = error as { readonly code?: unknown; readonly original?: unknown };
  return code ?? (original as { readonly code?: unknown } | undefined)?.code;
}
