import { type BridgeCode, BridgeError } from "./bridge-error.ts";

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
