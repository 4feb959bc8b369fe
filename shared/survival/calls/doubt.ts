import type { BridgeError } from "../../platform/bridge/bridge-error.ts";
import { mayBeDone } from "../../platform/bridge/doubt.ts";

/**
 * Whether nobody knows if a command was carried out. The sidecar of a survival server says of a game
 * that is away that it is, and hands a command on to none: that is an answer.
 */
export const mayHaveArrived = (error: BridgeError): boolean =>
  mayBeDone(error) && !(error.code === "SHARD_DOWN" && error.answered !== undefined);
