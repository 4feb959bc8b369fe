import type { Listing } from "../../../models/market/listing.ts";
import type { MarketSearch } from "../../../models/market/market-search.ts";
import { highestPrice, lowestPrice, type MarketFilters } from "../market/filters.ts";
import { searchText } from "../market/labels.ts";
import { termsAsked, termsOf, type Traits } from "./terms.ts";

/** A listing as it is now, and what it was before it came to be otherwise. */
export interface ListingChange extends Traits, Readonly<Pick<Listing, "price">> {
  /** Null when it was put up. */
  readonly formerPrice: number | null;
  readonly formerName: string | null;
  /** The user whose vendor holds it. */
  readonly ownerId: number | null;
}

/** A saved search, as far as listings are matched with it. */
export interface Search extends Readonly<Pick<MarketSearch, "id" | "userId">> {
  readonly query: MarketFilters;
}

/**
 * A batch of changed listings that searches are matched with. Searches that differ by their prices
 * alone share what is found for the rest where they come one after another, so that the cost is that
 * of searches and listings, never of one times the other.
 */
export class ChangeIndex {
  readonly #byTerm: ReadonlyMap<string, readonly ListingChange[]>;
  /** For the search that came last: what was found for all of them would take too much room. */
  #last: { readonly key: string; readonly cameInto: CameInto } | undefined;

  constructor(changes: readonly ListingChange[]) {
    const bearing = new Map<string, ListingChange[]>();
    for (const change of changes) {
      for (const term of termsOf(change)) {
        const group = bearing.get(term);
        if (group) group.push(change);
        else bearing.set(term, [change]);
      }
    }
    this.#byTerm = bearing;
  }

  /** Searches of other terms match nothing of the batch. */
  get terms(): string[] {
    return [...this.#byTerm.keys()];
  }

  /** Whether a listing that is not of the searcher's own came to match. */
  matches({ userId, query }: Search): boolean {
    const { minPrice = lowestPrice, maxPrice = highestPrice } = query;
    return this.#find(query)(minPrice, maxPrice, userId);
  }

  #find(query: MarketFilters): CameInto {
    const { q, itemId, map, region } = query;
    const key = JSON.stringify([q, itemId, map, region]);
    if (this.#last?.key === key) return this.#last.cameInto;
    const text = q === undefined ? undefined : searchText(q);
    const found = this.#fewestFor(query).filter(
      (change) =>
        (itemId === undefined || change.itemId === itemId) &&
        (map === undefined || change.map === map) &&
        (region === undefined || change.region === region) &&
        (text === undefined || (change.searchName?.includes(text) ?? false)),
    );
    const cameInto = indexPriceChanges(found.map((change) => priceChangeOf(change, text)));
    this.#last = { key, cameInto };
    return cameInto;
  }

  /** Those that bear one thing that the filters ask for, the one that the fewest of the batch bear. */
  #fewestFor(query: MarketFilters): readonly ListingChange[] {
    const groups = termsAsked(query).map((term) => this.#byTerm.get(term) ?? []);
    return groups.reduce((fewest, group) => (group.length < fewest.length ? group : fewest));
  }
}

/** To a search by a name, what was called otherwise before was not there. */
function priceChangeOf(
  { price, formerPrice, formerName, ownerId }: ListingChange,
  text: string | undefined,
): PriceChange {
  const wasFound = text === undefined || (formerName?.includes(text) ?? false);
  return { price, former: wasFound && formerPrice !== null ? formerPrice : Infinity, ownerId };
}

/** A price as it is, and as it was. */
interface PriceChange {
  readonly price: number;
  /** Infinite for a listing that was not there before. */
  readonly former: number;
  /** Who sells it. */
  readonly ownerId: number | null;
}

/** Tells whether any price of others than a user came into a range that it was not in before. */
type CameInto = (lowest: number, highest: number, userId: number) => boolean;

/** Looks a range up in as many steps as the logarithm of the number of changes. */
function indexPriceChanges(changes: readonly PriceChange[]): CameInto {
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
