/** A price as it is, and as it was. */
export interface PriceChange {
  readonly price: number;
  /** Infinite for a listing that was not there before. */
  readonly former: number;
  /** Who sells it. */
  readonly ownerId: number | null;
}

/** Tells whether any price of others than a user came into a range that it was not in before. */
export type CameInto = (lowest: number, highest: number, userId: number) => boolean;

/** Looks a range up in as many steps as the logarithm of the number of changes. */
export function indexPriceChanges(changes: readonly PriceChange[]): CameInto {
  // A price that fell into the range passed its upper end on the way, one that rose its lower end.
  const fell = indexSpans(
    changes
      .filter(({ price, former }) => price < former)
      .map(({ price, former, ownerId }) => ({ from: price, to: former, ownerId })),
  );
  const rose = indexSpans(
    changes
      .filter(({ price, former }) => price > former)
      .map(({ price, former, ownerId }) => ({ from: -price, to: -former, ownerId })),
  );
  return (lowest, highest, userId) =>
    fell(highest, userId) >= lowest || -rose(-lowest, userId) <= highest;
}

/** From its first number up to its second, without that. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly ownerId: number | null;
}

/** Of some spans the one that begins last, and of those of other owners the one that begins last. */
interface Latest {
  first: Span | undefined;
  other: Span | undefined;
}

/**
 * Of the spans that hold a number and are not the user's, where the one begins that begins last; minus
 * infinity where none does. Each span is noted at few nodes of a tree over the numbers at which spans
 * begin and end, and each number is found below few: no owner costs a look at every span.
 */
function indexSpans(spans: readonly Span[]): (at: number, userId: number) => number {
  const ends = new Set(spans.flatMap(({ from, to }) => [from, to]).filter(Number.isFinite));
  const bounds = [...ends].toSorted((one, other) => one - other);
  const width = bounds.length;
  const nodes = Array.from({ length: 2 * width }, (): Latest => ({
    first: undefined,
    other: undefined,
  }));
  for (const span of spans) {
    let left = width + lastNotAbove(bounds, span.from);
    let right = Number.isFinite(span.to) ? width + lastNotAbove(bounds, span.to) : 2 * width;
    for (; left < right; left >>= 1, right >>= 1) {
      if (left & 1) noteAt(nodes[left++], span);
      if (right & 1) noteAt(nodes[--right], span);
    }
  }
  return (at, userId) => {
    const leaf = lastNotAbove(bounds, at);
    let latest = -Infinity;
    for (let node = leaf < 0 ? 0 : width + leaf; node > 0; node >>= 1) {
      const { first, other } = nodes[node] ?? {};
      const found = first?.ownerId === userId ? other : first;
      latest = Math.max(latest, found?.from ?? -Infinity);
    }
    return latest;
  };
}

function noteAt(node: Latest | undefined, span: Span): void {
  if (!node) return;
  const { first, other } = node;
  if (!first || span.from > first.from) {
    if (first && first.ownerId !== span.ownerId) node.other = first;
    node.first = span;
  } else if (span.ownerId !== first.ownerId && span.from > (other?.from ?? -Infinity)) {
    node.other = span;
  }
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
