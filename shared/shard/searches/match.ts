import type { Listing } from "../../../models/market/listing.ts";
import type { MarketSearch } from "../../../models/market/market-search.ts";
import { highestPrice, lowestPrice, type MarketFilters } from "../market/filters.ts";
import { normalizeSearchText } from "../market/labels.ts";
import { indexSpans } from "./span-tree.ts";
import { requiredTermsOf, termsOf, type SearchableListing } from "./terms.ts";

export interface ChangedListing extends SearchableListing, Readonly<Pick<Listing, "price">> {
  /** Null for a new listing. */
  readonly formerPrice: number | null;
  readonly formerName: string | null;
  /** The user who owns the vendor. */
  readonly ownerId: number | null;
}

export interface SearchToMatch extends Readonly<Pick<MarketSearch, "id" | "userId">> {
  readonly query: MarketFilters;
}

/**
 * An index of a batch of changed listings. Consecutive searches that differ only in prices share one
 * lookup, so the cost grows with searches plus listings and not with their product.
 */
export class ChangedListingIndex {
  readonly #byTerm: ReadonlyMap<string, readonly ChangedListing[]>;
  /** Caches only the last lookup; the lookups of all searches would need too much memory. */
  #last: { readonly key: string; readonly cameInto: RangeTest } | undefined;

  constructor(changes: readonly ChangedListing[]) {
    const changesByTerm = new Map<string, ChangedListing[]>();
    for (const change of changes) {
      for (const term of termsOf(change)) {
        const group = changesByTerm.get(term);
        if (group) group.push(change);
        else changesByTerm.set(term, [change]);
      }
    }
    this.#byTerm = changesByTerm;
  }

  /** The terms of the changed listings. A search whose term is not among them cannot match. */
  get terms(): string[] {
    return [...this.#byTerm.keys()];
  }

  /** Returns true if a listing of another user newly matches the search. */
  matches({ userId, query }: SearchToMatch): boolean {
    const { minPrice = lowestPrice, maxPrice = highestPrice } = query;
    return this.#find(query)(minPrice, maxPrice, userId);
  }

  #find(query: MarketFilters): RangeTest {
    const { q, itemId, map, region } = query;
    const key = JSON.stringify([q, itemId, map, region]);
    if (this.#last?.key === key) return this.#last.cameInto;
    const text = q === undefined ? undefined : normalizeSearchText(q);
    const found = this.#fewestFor(query).filter(
      (change) =>
        (itemId === undefined || change.itemId === itemId) &&
        (map === undefined || change.map === map) &&
        (region === undefined || change.region === region) &&
        (text === undefined || (change.searchName?.includes(text) ?? false)),
    );
    const enteredRange = indexPriceChanges(found.map((change) => toPriceChange(change, text)));
    this.#last = { key, cameInto: enteredRange };
    return enteredRange;
  }

  /** Returns the smallest group of changes that share a term with the filters. */
  #fewestFor(query: MarketFilters): readonly ChangedListing[] {
    const groups = requiredTermsOf(query).map((term) => this.#byTerm.get(term) ?? []);
    return groups.reduce((fewest, group) => (group.length < fewest.length ? group : fewest));
  }
}

/** Returns the former and the current price. A listing whose former name the search did not find counts as new. */
function toPriceChange(
  { price, formerPrice, formerName, ownerId }: ChangedListing,
  text: string | undefined,
): PriceChange {
  const wasFound = text === undefined || (formerName?.includes(text) ?? false);
  return { price, former: wasFound && formerPrice !== null ? formerPrice : Infinity, ownerId };
}

interface PriceChange {
  readonly price: number;
  /** Infinite for a new listing. */
  readonly former: number;
  readonly ownerId: number | null;
}

/** Returns true if the price of another user's listing has entered the range. */
type RangeTest = (lowest: number, highest: number, userId: number) => boolean;

/** Returns a test that needs logarithmic time per range. */
function indexPriceChanges(changes: readonly PriceChange[]): RangeTest {
  // A price that falls enters the range at the range's upper end, a price that rises at the lower end.
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
