import type { LinkState } from "../bridge/socket/socket-options.ts";

/** Seconds without a heartbeat after which an ingest process counts as gone. */
export const ingestTimeoutSeconds = 8;

/** Without a live ingest process, an enabled link is `reconnecting`, whatever state is stored. */
export function computeLinkState({
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
