import type { LinkState } from "../bridge/socket/socket-options.ts";

/** An ingest process that was silent for this long is gone, whatever it wrote last. */
export const ingestSilentSeconds = 8;

/** What counts of the state that ingest wrote while it lives; a link that is on and has no ingest is reconnecting. */
export function linkStateOf({
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
