/** How a server stands at one look. */
export interface Look {
  readonly isOnline: boolean;
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * How a server was seen so far. It is kept in memory on purpose: after a restart of ours every server
 * would seem to have come back, and nobody is told of a first sight.
 */
export interface Sight {
  /** Null until it is known how the server stands. */
  readonly isOnline: boolean | null;
  /** Since when it stands otherwise than is known. */
  readonly turnedAt: number | null;
  /** When it was last known to have gone. */
  readonly goneAt: number | null;
  readonly lookedAt: number;
}

export interface Turn {
  readonly sight: Sight;
  /** What others are told of, and since when it is so; null for nothing. */
  readonly turned: { readonly isOnline: boolean; readonly since: number } | null;
}

/** Between two looks that are further apart anything may have happened: it begins anew. */
export const longestPauseMs = 15_000;

/**
 * What one look makes of what was seen. A server must be away, or back, for as long as the grace before
 * it counts, so that the reload of a plugin is silent. What is seen first is told to nobody.
 */
export function lookAgain(before: Sight | undefined, look: Look, graceMs: number): Turn {
  const { isOnline, at } = look;
  const isNew = !before || at - before.lookedAt > longestPauseMs || at < before.lookedAt;
  const seen: Sight = isNew
    ? { isOnline: null, turnedAt: null, goneAt: null, lookedAt: at }
    : { ...before, lookedAt: at };
  if (seen.isOnline === null && isOnline) {
    return { sight: { ...seen, isOnline, turnedAt: null }, turned: null };
  }
  if (seen.isOnline === isOnline) return { sight: { ...seen, turnedAt: null }, turned: null };
  const since = seen.turnedAt ?? at;
  if (at - since < graceMs) return { sight: { ...seen, turnedAt: since }, turned: null };
  const isTold = seen.isOnline !== null;
  const goneAt = isOnline ? seen.goneAt : since;
  const sight = { ...seen, isOnline, turnedAt: null, goneAt };
  return { sight, turned: isTold ? { isOnline, since } : null };
}
