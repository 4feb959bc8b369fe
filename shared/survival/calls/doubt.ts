import type { BridgeCode, BridgeError } from "../../bridge/bridge-error.ts";

/** Whether nobody knows if a command was carried out: its answer failed, came too late, or broke off. */
export const mayHaveArrived = ({ code, reason }: BridgeError): boolean =>
  doubtfulCodes.has(code) ||
  (code === "SHARD_DOWN" && (brokenOff.has(reason) || reason.startsWith("no answer in")));

const doubtfulCodes: ReadonlySet<BridgeCode> = new Set(["UNAVAILABLE", "MALFORMED", "TOO_LARGE"]);

const brokenOff: ReadonlySet<string> = new Set(["ECONNRESET", "ECONNABORTED", "EPIPE"]);
