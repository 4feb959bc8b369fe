/** A half-open span: `from` ≤ x < `to`. `to` may be infinite. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly ownerId: number | null;
}

/** The span with the largest start, and among the spans of other owners the one with the largest start. */
interface Latest {
  first: Span | undefined;
  other: Span | undefined;
}

/**
 * Returns a lookup that finds the spans that contain a number and belong to other users. The lookup
 * returns the largest start of these spans; minus infinity if there is none.
 *
 * The spans are in a segment tree, which is an array: node 1 is the root, and node n has the
 * children 2n and 2n + 1. The leaves are the intervals between neighboring bounds of spans. With the
 * bounds 10, 20, 30 and 40:
 *
 *                   1
 *            2             3
 *         4     5       6     7
 *       10–20 20–30   30–40  40–∞
 *
 * A span is stored in the fewest nodes that cover it: 10–30 in node 2, 20–∞ in the nodes 5 and 3.
 * All spans that contain a number are in the nodes between its leaf and the root. A node stores two
 * spans of different owners, so a lookup visits a logarithmic number of spans.
 */
export function indexSpans(spans: readonly Span[]): (at: number, userId: number) => number {
  const ends = new Set(spans.flatMap(({ from, to }) => [from, to]).filter(Number.isFinite));
  const bounds = [...ends].toSorted((one, other) => one - other);
  const width = bounds.length;
  const nodes = Array.from({ length: 2 * width }, (): Latest => ({
    first: undefined,
    other: undefined,
  }));
  const leafOf = (at: number): number => width + lastNotAbove(bounds, at);
  for (const span of spans) {
    const end = Number.isFinite(span.to) ? leafOf(span.to) : 2 * width;
    for (const node of coveringNodes(leafOf(span.from), end)) noteAt(nodes[node], span);
  }
  return (at, userId) => {
    const leaf = leafOf(at);
    let latest = -Infinity;
    for (let node = leaf < width ? 0 : leaf; node > 0; node = parentOf(node)) {
      const { first, other } = nodes[node] ?? {};
      const found = first?.ownerId === userId ? other : first;
      latest = Math.max(latest, found?.from ?? -Infinity);
    }
    return latest;
  };
}

const parentOf = (node: number): number => Math.floor(node / 2);
const isRightChild = (node: number): boolean => node % 2 === 1;

/** Yields the fewest nodes that cover the leaves from `start` up to, but not including, `end`. */
function* coveringNodes(start: number, end: number): Generator<number> {
  let [left, right] = [start, end];
  while (left < right) {
    // The parent of a right child also covers a leaf to the left of the range.
    if (isRightChild(left)) yield left++;
    if (isRightChild(right)) yield --right;
    left = parentOf(left);
    right = parentOf(right);
  }
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

/** Returns the index of the last sorted number that is at most the limit; -1 if there is none. */
function lastNotAbove(sorted: readonly number[], limit: number): number {
  let [below, above] = [-1, sorted.length];
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if ((sorted[middle] ?? Infinity) <= limit) below = middle;
    else above = middle;
  }
  return below;
}
