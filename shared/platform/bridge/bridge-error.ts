import type { ErrorCode } from "../errors/error-codes.ts";
import { AppError, type ErrorDetails, type Fault } from "../errors/errors.ts";

interface Meaning {
  readonly errorCode: ErrorCode;
  readonly message: string;
}

/** CATALOGUE of what a game server's refusal means to our caller. */
const meanings = {
  INVALID: { errorCode: "shard_refused_request", message: "The game server refused the request" },
  PROTECTED: { errorCode: "protected_target", message: "The game server protects this account" },
  WRITES_DISABLED: {
    errorCode: "write_plane_disabled",
    message: "The game server takes no changes",
  },
  SIGNUP_CLOSED: {
    errorCode: "signup_unavailable",
    message: "The game server takes no sign-ups from the site",
  },
  NOT_FOUND: { errorCode: "unknown_to_shard", message: "The game server does not know it" },
  TAKEN: { errorCode: "name_taken", message: "It is taken already" },
  CONFLICT: {
    errorCode: "idempotency_conflict",
    message: "The idempotency key was used for another request",
  },
  LIMIT: { errorCode: "shard_limit_reached", message: "The game server's limit is reached" },
  SHARD_DOWN: { errorCode: "shard_unavailable", message: "The game server cannot be reached" },
  PROTOCOL: {
    errorCode: "shard_protocol_mismatch",
    message: "The game server speaks another protocol",
  },
  UNAUTHORIZED: { errorCode: "shard_refused_token", message: "The game server refused the token" },
  UNSUPPORTED: { errorCode: "shard_unsupported", message: "The game server does not support this" },
  DISABLED: { errorCode: "shard_unsupported", message: "The game server has this switched off" },
  NO_SOURCE: { errorCode: "shard_unsupported", message: "The game server has no source for this" },
  NO_IMAGING: { errorCode: "shard_unsupported", message: "The game server cannot render images" },
  NO_IMAGE: { errorCode: "shard_unsupported", message: "The game server has no picture of this" },
  BUSY: { errorCode: "shard_busy", message: "The game server is busy with this" },
  MALFORMED: { errorCode: "shard_failed", message: "The game server's answer was not understood" },
  TOO_LARGE: { errorCode: "shard_failed", message: "The game server's answer was too large" },
  UNAVAILABLE: { errorCode: "shard_failed", message: "The game server failed" },
} as const satisfies Record<string, Meaning>;

/** The sidecar's own codes, and ours for when it gave no usable answer. */
export type BridgeCode = keyof typeof meanings;

export interface BridgeErrorDetails extends Omit<ErrorDetails, "faults" | "extra"> {
  /** What exactly was wrong, for operators and import results. */
  readonly reason?: string | undefined;
  /** The text for the caller, where it says more than that of the code. */
  readonly told?: string | undefined;
  /** The field a sidecar found wrong. */
  readonly fault?: Fault | undefined;
  /** Of an answer other than 2xx. */
  readonly answered?: number | undefined;
  /** The mod that the game lacks, where it says which. */
  readonly helper?: string | undefined;
  /** Nothing was sent: there was no connection to send it on. */
  readonly isUnsent?: boolean;
}

/** A call to a sidecar that did not get its answer; `code` says which way it failed. */
export class BridgeError extends AppError {
  readonly code: BridgeCode;
  readonly reason: string;
  readonly fault: Fault | undefined;
  /** The status of an answer other than 2xx; undefined where there was none. */
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
 * Whether nobody knows if a command was carried out: it left, and no definite refusal came back. A game
 * that freezes while it saves carries out later what its sidecar gave up with 503.
 */
export const mayBeDone = (error: unknown): boolean =>
  error instanceof BridgeError &&
  !isRefused(error) &&
  (doubtful.has(error.code) || (error.code === "SHARD_DOWN" && !error.isUnsent));

/** Whether the game refused for good, whatever its reason: nothing was done, nor would be by a repeat. */
const isRefused = ({ answered }: BridgeError): boolean =>
  answered !== undefined && answered < 500 && answered !== 429;

const doubtful: ReadonlySet<BridgeCode> = new Set(["UNAVAILABLE", "MALFORMED", "TOO_LARGE"]);
