export interface ServerCheckResult {
  readonly isOnline: boolean;
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * The observed state of a server, in memory only. After a restart of the process, every server would seem
 * to return, so a first observation sends no notice.
 */
export interface ServerObservation {
  /** Null until the state is known. */
  readonly isOnline: boolean | null;
  /** The time since which the checks differ from `isOnline`. */
  readonly turnedAt: number | null;
  /** The time when the server last went offline. */
  readonly goneAt: number | null;
  readonly lookedAt: number;
}

export interface ObservationUpdate {
  readonly sight: ServerObservation;
  /** The change to announce, with its start; null if there is no change. */
  readonly turned: { readonly isOnline: boolean; readonly since: number } | null;
}

/** After a longer gap between two checks the state may have changed unseen, so observation restarts. */
export const maxCheckGapMs = 15_000;

/**
 * Updates the observed state after a check. A change counts only after the grace period, so that the
 * reload of a plugin is not announced. The first observation is not announced either.
 */
export function updateObservation(
  before: ServerObservation | undefined,
  look: ServerCheckResult,
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
