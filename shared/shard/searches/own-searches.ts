import type { MarketSearch } from "../../../models/market/market-search.ts";
import type { Context } from "../../platform/context.ts";
import { listSearches } from "./saved-searches.ts";

export const viewSearch = (search: MarketSearch) => ({
  id: search.id,
  name: search.name,
  query: search.query,
  enabled: search.enabled,
  created_at: search.createdAt,
  last_match_at: search.lastMatchAt,
});

/** The saved searches of a user, for their own export. */
export const readOwnSearches = async (
  userId: number,
  context: Pick<Context, "models">,
): Promise<object[]> => (await listSearches({ userId }, context)).map(viewSearch);
