import type { Listing } from "../../../models/market/listing.ts";
import type { MarketSearch } from "../../../models/market/market-search.ts";
import { highestPrice, lowestPrice, type MarketFilters } from "../market/filters.ts";
import { searchText } from "../market/labels.ts";
import { type CameInto, indexPriceChanges, type PriceChange } from "./price-changes.ts";
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
