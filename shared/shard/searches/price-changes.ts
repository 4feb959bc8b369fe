/** A price as it is, and as it was. */
export interface PriceChange {
  readonly price: number;
  /** Infinite for a listing that was not there before. */
  readonly former: number;
}

/** Tells whether any price came into a range that it was not in before. */
export type CameInto = (lowest: number, highest: number) => boolean;

/** Looks a range up in as many steps as the logarithm of the number of changes. */
export function indexPriceChanges(changes: readonly PriceChange[]): CameInto {
  // A price that fell into the range passed its upper end on the way, one that rose its lower end.
  const fell = indexSpans(
    changes
      .filter(({ price, former }) => price < former)
      .map(({ price, former }) => [price, former]),
  );
  const rose = indexSpans(
    changes
      .filter(({ price, former }) => price > former)
      .map(({ price, former }) => [-price, -former]),
  );
  return (lowest, highest) => fell(highest) >= lowest || -rose(-lowest) <= highest;
}

/** From its first number up to its second, without that. */
type Span = readonly [from: number, to: number];

/**
 * Of the spans that hold a number, where the one begins that begins last; minus infinity where none
 * does.
 */
function indexSpans(spans: readonly Span[]): (at: number) => number {
  const sorted = spans.toSorted(([one], [other]) => one - other);
  const ends = new Set(sorted.flat().filter(Number.isFinite));
  const bounds = [...ends].toSorted((one, other) => one - other);
  const open: Span[] = [];
  let next = 0;
  const begins = bounds.map((bound) => {
    for (; (sorted[next]?.[0] ?? Infinity) <= bound; next++) open.push(sorted[next] as Span);
    while ((open.at(-1)?.[1] ?? Infinity) <= bound) open.pop();
    return open.at(-1)?.[0] ?? -Infinity;
  });
  return (at) => begins[lastNotAbove(bounds, at)] ?? -Infinity;
}

/** Where the last of the sorted numbers stands that is not above the limit; -1 where all are. */
function lastNotAbove(sorted: readonly number[], limit: number): number {
  let [below, above] = [-1, sorted.length];
  while (above - below > 1) {
    const middle = (below + above) >> 1;
    if ((sorted[middle] ?? Infinity) <= limit) below = middle;
    else above = middle;
  }
  return below;
}
