import type { ErrorCode } from "../errors/error-codes.ts";
import { AppError, type ErrorDetails, type Fault } from "../errors/errors.ts";

interface ErrorMeaning {
  readonly errorCode: ErrorCode;
  readonly message: string;
}

/** CATALOGUE of the API's errors for the refusals of a game server. */
const meanings = {
  INVALID: { errorCode: "shard_refused_request", message: "The game server refused the request" },
  PROTECTED: { errorCode: "protected_target", message: "The game server protects this account" },
  WRITES_DISABLED: {
    errorCode: "write_plane_disabled",
    message: "The game server does not accept changes",
  },
  SIGNUP_CLOSED: {
    errorCode: "signup_unavailable",
    message: "The game server does not accept sign-ups from the site",
  },
  NOT_FOUND: { errorCode: "unknown_to_shard", message: "The game server does not know the object" },
  TAKEN: { errorCode: "name_taken", message: "The name or account is already in use" },
  CONFLICT: {
    errorCode: "idempotency_conflict",
    message: "The idempotency key was used for another request",
  },
  LIMIT: { errorCode: "shard_limit_reached", message: "The game server's limit is reached" },
  SHARD_DOWN: { errorCode: "shard_unavailable", message: "The game server cannot be reached" },
  PROTOCOL: {
    errorCode: "shard_protocol_mismatch",
    message: "The game server uses another protocol version",
  },
  UNAUTHORIZED: { errorCode: "shard_refused_token", message: "The game server refused the token" },
  UNSUPPORTED: { errorCode: "shard_unsupported", message: "The game server does not support this" },
  DISABLED: { errorCode: "shard_unsupported", message: "This is turned off on the game server" },
  NO_SOURCE: { errorCode: "shard_unsupported", message: "The game server has no files for this" },
  NO_IMAGING: { errorCode: "shard_unsupported", message: "The game server cannot render images" },
  NO_IMAGE: { errorCode: "shard_unsupported", message: "The game server has no picture of this" },
  BUSY: { errorCode: "shard_busy", message: "The game server is busy with an earlier request" },
  MALFORMED: { errorCode: "shard_failed", message: "The game server's answer was not understood" },
  TOO_LARGE: { errorCode: "shard_failed", message: "The game server's answer was too large" },
  UNAVAILABLE: { errorCode: "shard_failed", message: "The game server failed" },
} as const satisfies Record<string, ErrorMeaning>;

/** The codes that a sidecar sends, and codes of this service for unusable answers. */
export type BridgeCode = keyof typeof meanings;

export interface BridgeErrorDetails extends Omit<ErrorDetails, "faults" | "extra"> {
  /** The exact fault, for administrators and import results. */
  readonly reason?: string | undefined;
  /** A message for the caller that is more precise than the message of the code. */
  readonly told?: string | undefined;
  /** The field that a sidecar found invalid. */
  readonly fault?: Fault | undefined;
  /** The HTTP status, if the game server answered with a status other than 2xx. */
  readonly answered?: number | undefined;
  /** The mod that the call needs and the game lacks, if the game names one. */
  readonly helper?: string | undefined;
  /** True if nothing was sent because there was no connection. */
  readonly isUnsent?: boolean;
}

/** A call to a game server that failed. `code` is the kind of failure. */
export class BridgeError extends AppError {
  readonly code: BridgeCode;
  readonly reason: string;
  readonly fault: Fault | undefined;
  readonly answered: number | undefined;
  readonly helper: string | undefined;
  readonly isUnsent: boolean;

  constructor(code: BridgeCode, given: BridgeErrorDetails = {}) {
    const { reason, told, fault, answered, helper, isUnsent = false, ...details } = given;
    const { errorCode, message } = meanings[code];
    super(errorCode, fault ? `${fault.path}: ${fault.message}` : (told ?? message), details);
    this.name = "BridgeError";
    this.code = code;
    this.reason = reason ?? message;
    this.fault = fault;
    this.answered = answered;
    this.helper = helper;
    this.isUnsent = isUnsent;
  }
}

/**
 * Returns true if a command may have been executed: it was sent, and no refusal proves the contrary. A game that
 * freezes during a save executes a command after its sidecar has answered 503.
 */
export const isPossiblyExecuted = (error: unknown): boolean =>
  error instanceof BridgeError &&
  !isRefused(error) &&
  (uncertainCodes.has(error.code) || (error.code === "SHARD_DOWN" && !error.isUnsent));

/** Returns true if the refusal is certain: the game did nothing, and a retry would fail too. */
const isRefused = ({ answered }: BridgeError): boolean =>
  answered !== undefined && answered < 500 && answered !== 429;

const uncertainCodes: ReadonlySet<BridgeCode> = new Set(["UNAVAILABLE", "MALFORMED", "TOO_LARGE"]);
