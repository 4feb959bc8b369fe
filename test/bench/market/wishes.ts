import type { MarketFilters } from "../../../shared/shard/market/filters.ts";
import { createRandom } from "../../simulator/random.ts";
import { type MarketSize, variedTerms } from "./world.ts";

/**
 * Returns typical saved searches: most name an item and a maximum price, some an item type or a
 * town.
 */
export function buildSavedSearches(count: number, size: MarketSize): MarketFilters[] {
  const random = createRandom("searches");
  return variedTerms(count, size, "searches").map((q) => {
    const maxPrice = random.logNormal(3_000, 2);
    if (random.chance(0.1)) return { itemId: random.int(3_000, 5_000), maxPrice };
    if (random.chance(0.05)) return { region: random.pick(["Luna", "Britain"]), maxPrice: 100 };
    return random.chance(0.2) ? { q, map: "Malas", maxPrice } : { q, maxPrice };
  });
}
