import {
  ChangedListingIndex,
  type ChangedListing,
  type SearchToMatch,
} from "../../../shared/shard/searches/match.ts";
import { rarestTermOf } from "../../../shared/shard/searches/terms.ts";
import { createRandom } from "../../simulator/random.ts";
import { buildSavedSearches } from "./wishes.ts";
import { clilocTexts, type MarketSize, vendorsOf } from "./world.ts";

/** The number of saved searches per user. The users are the sellers too. */
const searchesPerUser = 20;
const clilocs = new Map(clilocTexts);

interface Load {
  readonly searches: number;
  readonly changes: number;
}

/**
 * Prepares changed listings and saved searches of several users. The sellers have searches too.
 * @returns a function that matches them and returns the milliseconds
 */
export function createSearchMatcher({ searches, changes }: Load, size: MarketSize): () => number {
  const users = Math.ceil(searches / searchesPerUser);
  const listings = changesOf(changes, users, size);
  const wanted = buildSavedSearches(searches, size)
    .map((query, at) => {
      const rest = { ...query, minPrice: undefined, maxPrice: undefined };
      const search: SearchToMatch = { id: at, userId: 1 + (at % users), query };
      return {
        search,
        term: rarestTermOf(query),
        key: `${rarestTermOf(query)} ${JSON.stringify(rest)}`,
      };
    })
    // Sort the searches into the order in which the job reads them.
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));
  return () => {
    const startedAt = performance.now();
    const index = new ChangedListingIndex(listings);
    // Match only the searches whose rarest term occurs in the changes, as the database's index
    // would find them.
    const terms = new Set(index.terms);
    for (const { search, term } of wanted) if (terms.has(term)) index.matches(search);
    return performance.now() - startedAt;
  };
}

/** Returns changed listings. Consecutive listings belong to different sellers. */
function changesOf(count: number, sellers: number, size: MarketSize): ChangedListing[] {
  const random = createRandom("growth");
  const changes: ChangedListing[] = [];
  for (const { vendor, items } of vendorsOf(size)) {
    for (const { itemId, price, name, cliloc } of items) {
      if (changes.length === count) return changes;
      const { map = null, region = null } = vendor.location ?? {};
      const searchName = (name ?? clilocs.get(cliloc ?? 0))?.toLowerCase() ?? null;
      const formerPrice = random.chance(0.5) ? 1 + random.logNormal(5_000, 2) : null;
      const ownerId = 1 + (changes.length % sellers);
      const named = { searchName, formerName: searchName };
      changes.push({ itemId, price, map, region, formerPrice, ownerId, ...named });
    }
  }
  return changes;
}
