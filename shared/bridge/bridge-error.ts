import { AppError, type ErrorDetails, type ErrorKind, type Fault } from "../errors.ts";

interface Meaning {
  readonly kind: ErrorKind;
  readonly message: string;
}

/** CATALOGUE of what a game server's refusal means to our caller. */
const meanings = {
  INVALID: { kind: "invalid", message: "The game server refused the request" },
  PROTECTED: { kind: "forbidden", message: "The game server protects this account" },
  WRITES_DISABLED: { kind: "forbidden", message: "The game server takes no changes" },
  SIGNUP_CLOSED: { kind: "forbidden", message: "The game server takes no sign-ups from the site" },
  NOT_FOUND: { kind: "missing", message: "The game server does not know it" },
  TAKEN: { kind: "conflict", message: "It is taken already" },
  CONFLICT: { kind: "conflict", message: "The idempotency key was used for another request" },
  LIMIT: { kind: "limited", message: "The game server's limit is reached" },
  SHARD_DOWN: { kind: "unavailable", message: "The game server cannot be reached" },
  PROTOCOL: { kind: "upstream", message: "The game server speaks another protocol" },
  UNAUTHORIZED: { kind: "upstream", message: "The game server refused the token" },
  UNSUPPORTED: { kind: "upstream", message: "The game server does not support this" },
  DISABLED: { kind: "upstream", message: "The game server has this switched off" },
  NO_SOURCE: { kind: "upstream", message: "The game server has no source for this" },
  NO_IMAGING: { kind: "upstream", message: "The game server cannot render images" },
  BUSY: { kind: "upstream", message: "The game server is busy with this" },
  MALFORMED: { kind: "upstream", message: "The game server's answer was not understood" },
  TOO_LARGE: { kind: "upstream", message: "The game server's answer was too large" },
  UNAVAILABLE: { kind: "upstream", message: "The game server failed" },
} as const satisfies Record<string, Meaning>;

/** The sidecar's own codes, and ours for when it gave no usable answer. */
export type BridgeCode = keyof typeof meanings;

export interface BridgeErrorDetails extends Omit<ErrorDetails, "faults" | "extra"> {
  /** What exactly was wrong, for operators and import results. */
  readonly reason?: string | undefined;
  /** The field a sidecar found wrong. */
  readonly fault?: Fault | undefined;
}

/** A call to a sidecar that did not get its answer; `code` says which way it failed. */
export class BridgeError extends AppError {
  readonly code: BridgeCode;
  readonly reason: string;
  readonly fault: Fault | undefined;

  constructor(code: BridgeCode, { reason, fault, ...details }: BridgeErrorDetails = {}) {
    const { kind, message } = meanings[code];
    super(kind, fault ? `${fault.path}: ${fault.message}` : message, details);
    this.name = "BridgeError";
    this.code = code;
    this.reason = reason ?? message;
    this.fault = fault;
  }
}
