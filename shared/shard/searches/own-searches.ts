import type { MarketSearch } from "../../../models/market/market-search.ts";
import type { Context } from "../../platform/context.ts";
import { listSearches } from "./saved-searches.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     SavedSearch:
 *       type: object
 *       additionalProperties: false
 *       required: [id, name, query, enabled, created_at, last_match_at]
 *       properties:
 *         id: { type: integer }
 *         name: { type: string, example: Cheap katanas in Luna }
 *         query:
 *           type: object
 *           description: Filters of the market search. Absent filters do not restrict the search.
 *           additionalProperties: false
 *           properties:
 *             q: { type: string, example: katana }
 *             minPrice: { type: integer, description: Lowest price in coins. }
 *             maxPrice: { type: integer, description: Highest price in coins., example: 5000 }
 *             itemId: { type: integer, description: Id of the item's graphic in the game client. }
 *             map: { type: string, example: Malas }
 *             region: { type: string, example: Luna }
 *         enabled: { type: boolean, description: Whether the site sends push messages for new matches. }
 *         created_at: { type: string, format: date-time }
 *         last_match_at:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: >-
 *             When a listing last began to match the search. Null if none has since the search was
 *             saved.
 */
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
