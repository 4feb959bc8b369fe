import type { importCodes } from "../../../imports/results/codes.ts";
import type { BridgeCode } from "../../../platform/bridge/bridge-error.ts";

export type MapCode = (typeof importCodes.map)[number];

/** What a refusal of the game server is called in the result of a map's import. */
export const mapCodeOf = (code: BridgeCode): MapCode => codes[code] ?? "MALFORMED";

const codes: { readonly [Code in BridgeCode]?: MapCode } = {
  SHARD_DOWN: "SHARD_DOWN",
  // Nothing can be had from it until an administrator mends the link, or it is mended itself.
  UNAUTHORIZED: "SHARD_DOWN",
  PROTOCOL: "SHARD_DOWN",
  UNAVAILABLE: "SHARD_DOWN",
  // An older sidecar does not know the call.
  NOT_FOUND: "UNSUPPORTED",
  UNSUPPORTED: "UNSUPPORTED",
  DISABLED: "UNSUPPORTED",
  NO_SOURCE: "UNSUPPORTED",
  NO_IMAGING: "UNSUPPORTED",
  NO_IMAGE: "NO_IMAGE",
  TOO_LARGE: "TOO_LARGE",
  BUSY: "BUSY",
  LIMIT: "BUSY",
};

/** Whether the game server may well do it later. */
export const mayPass = (code: string | null): boolean =>
  code === "SHARD_DOWN" || code === "BUSY" || code === "MALFORMED";
