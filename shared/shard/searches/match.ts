import { highestPrice, lowestPrice, type MarketFilters } from "../market/filters.ts";
import { searchText } from "../market/label.ts";
import { type CameInto, indexPriceChanges, type PriceChange } from "./price-changes.ts";
import { termsOf, type Traits } from "./terms.ts";

/** A listing as it is now, and what it was before it came to be otherwise. */
export interface ListingChange extends Traits {
  readonly price: number;
  /** Null when it was put up. */
  readonly formerPrice: number | null;
  readonly formerName: string | null;
  /** The user whose vendor holds it. */
  readonly ownerId: number | null;
}

/** A saved search, as far as listings are matched with it. */
export interface Search {
  readonly id: number;
  readonly userId: number;
  readonly term: string;
  readonly query: MarketFilters;
}

/**
 * A batch of changed listings that searches are matched with. Searches that differ by their prices
 * alone share what is found for the rest, so that the cost is that of searches and listings, never of
 * one times the other.
 */
export class ChangeIndex {
  readonly #byTerm: ReadonlyMap<string, readonly ListingChange[]>;
  readonly #found = new Map<string, Found>();

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
  matches({ userId, term, query }: Search): boolean {
    const { minPrice = lowestPrice, maxPrice = highestPrice } = query;
    const found = this.#find(term, query);
    const cameInto = found.owners.has(userId) ? found.without(userId) : found.cameInto;
    return cameInto(minPrice, maxPrice);
  }

  #find(term: string, { q, itemId, map, region }: MarketFilters): Found {
    const key = JSON.stringify([q, itemId, map, region]);
    const known = this.#found.get(key);
    if (known) return known;
    const text = q === undefined ? undefined : searchText(q);
    const bearing = this.#byTerm.get(term) ?? [];
    const found = foundOf(
      bearing.filter(
        (change) =>
          (itemId === undefined || change.itemId === itemId) &&
          (map === undefined || change.map === map) &&
          (region === undefined || change.region === region) &&
          (text === undefined || (change.searchName?.includes(text) ?? false)),
      ),
      text,
    );
    this.#found.set(key, found);
    return found;
  }
}

/** What of a batch matches all but the prices of a search. */
interface Found {
  readonly owners: ReadonlySet<number | null>;
  readonly cameInto: CameInto;
  /** The same without what a user sells. */
  readonly without: (userId: number) => CameInto;
}

function foundOf(changes: readonly ListingChange[], text: string | undefined): Found {
  const index = (some: readonly ListingChange[]): CameInto =>
    indexPriceChanges(some.map((change) => priceChangeOf(change, text)));
  return {
    owners: new Set(changes.map(({ ownerId }) => ownerId)),
    cameInto: index(changes),
    without: (userId) => index(changes.filter(({ ownerId }) => ownerId !== userId)),
  };
}

/** To a search by a name, what was called otherwise before was not there. */
function priceChangeOf(
  { price, formerPrice, formerName }: ListingChange,
  text: string | undefined,
): PriceChange {
  const wasFound = text === undefined || (formerName?.includes(text) ?? false);
  return { price, former: wasFound && formerPrice !== null ? formerPrice : Infinity };
}
