export interface ServerCheck {
  readonly isOnline: boolean;
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * The observed state of a server. It is only in memory: after a restart every server would seem to
 * return, and a first observation notifies nobody.
 */
export interface ServerObservation {
  /** Null until the state is known. */
  readonly isOnline: boolean | null;
  /** Time since which the server differs from `isOnline`. */
  readonly turnedAt: number | null;
  /** Time when the server last went offline. */
  readonly goneAt: number | null;
  readonly lookedAt: number;
}

export interface ObservationUpdate {
  readonly sight: ServerObservation;
  /** The change to announce, with its start; null for none. */
  readonly turned: { readonly isOnline: boolean; readonly since: number } | null;
}

/** After a longer pause between two checks anything may have happened, so the observation restarts. */
export const maxCheckGapMs = 15_000;

/**
 * Updates the observed state after a check. A server must be offline or online for the grace period
 * before it counts, so that a plugin's reload is not announced. Neither is the first observation.
 */
export function updateObservation(
  before: ServerObservation | undefined,
  look: ServerCheck,
  graceMs: number,
): ObservationUpdate {
  const { isOnline, at } = look;
  const isNew = !before || at - before.lookedAt > maxCheckGapMs || at < before.lookedAt;
  const seen: ServerObservation = isNew
    ? { isOnline: null, turnedAt: null, goneAt: null, lookedAt: at }
    : { ...before, lookedAt: at };
  if (seen.isOnline === null && isOnline) {
    return { sight: { ...seen, isOnline, turnedAt: null }, turned: null };
  }
  if (seen.isOnline === isOnline) return { sight: { ...seen, turnedAt: null }, turned: null };
  const since = seen.turnedAt ?? at;
  if (at - since < graceMs) return { sight: { ...seen, turnedAt: since }, turned: null };
  const isTold = seen.isOnline !== null;
  const offlineSince = isOnline ? seen.goneAt : since;
  const sight = { ...seen, isOnline, turnedAt: null, goneAt: offlineSince };
  return { sight, turned: isTold ? { isOnline, since } : null };
}
