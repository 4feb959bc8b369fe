/** One fault of an input: where it is and which rule it broke. */
export interface Fault {
  readonly path: string;
  readonly message: string;
  readonly code?: string;
}

/** The ways a request can be refused; `api/http/errors.ts` alone knows their numbers. */
export type ErrorKind =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "missing"
  | "conflict"
  | "limited"
  | "upstream"
  | "unavailable";

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

/** A refusal that the caller is told about, in the words given here. */
export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly faults: readonly Fault[] | undefined;
  readonly extra: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfter: number | undefined;

  constructor(kind: ErrorKind, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = "AppError";
    this.kind = kind;
    this.faults = details.faults;
    this.extra = details.extra;
    this.retryAfter = details.retryAfter;
  }
}

export const invalid = (message: string, details?: ErrorDetails): AppError =>
  new AppError("invalid", message, details);

/** The one shape of a failed validation: every fault named at once. */
export const invalidFields = (faults: readonly Fault[]): AppError =>
  new AppError("invalid", "Validation failed", { faults });

export const unauthenticated = (message = "Not authenticated"): AppError =>
  new AppError("unauthenticated", message);

export const forbidden = (message = "Forbidden", details?: ErrorDetails): AppError =>
  new AppError("forbidden", message, details);

export const missing = (message = "Not found"): AppError => new AppError("missing", message);

export const conflict = (message: string, details?: ErrorDetails): AppError =>
  new AppError("conflict", message, details);

export const limited = (message: string, retryAfter: number): AppError =>
  new AppError("limited", message, { retryAfter });

export const unavailable = (message: string, retryAfter = 10): AppError =>
  new AppError("unavailable", message, { retryAfter });
