/** What one player has reached in one category. */
export interface Standing {
  readonly steamId: string;
  readonly value: number;
  readonly reachedAt: Date;
}

export type Ranked<S extends Standing> = S & { readonly rank: number };

/**
 * Standings from the best downwards. Of equal values the one that was reached first comes first,
 * and all have the same rank: 1, 2, 2, 4.
 */
export function rankStandings<S extends Standing>(standings: readonly S[]): Ranked<S>[] {
  const ordered = standings.toSorted(inOrder);
  let rank = 0;
  return ordered.map((standing, at) => {
    if (ordered[at - 1]?.value !== standing.value) rank = at + 1;
    return { ...standing, rank };
  });
}

const inOrder = (one: Standing, other: Standing): number =>
  other.value - one.value ||
  one.reachedAt.valueOf() - other.reachedAt.valueOf() ||
  (one.steamId < other.steamId ? -1 : 1);
