import type { LinkState } from "../bridge/socket/socket-options.ts";

/** An ingest process without a heartbeat for this long counts as gone. */
export const ingestSilentSeconds = 8;

/** Only live ingest counts: an enabled link without it is "reconnecting", whatever the stored state. */
export function currentLinkState({
  enabled,
  state,
  alive,
}: {
  readonly enabled: boolean;
  readonly state: LinkState;
  readonly alive: boolean;
}): LinkState {
  if (!enabled) return "disconnected";
  if (!alive) return "reconnecting";
  return state === "disconnected" ? "reconnecting" : state;
}
