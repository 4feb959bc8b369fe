import type { Context } from "../../context.ts";
import { forbidden } from "../../errors.ts";
import type { Sees } from "../view.ts";
import { type MarketQuery, readFilters } from "./filters.ts";
import { countMatches } from "./matches.ts";
import { type MarketFacts, readMarketFacts } from "./meta.ts";
import { readPage } from "./page.ts";
import { type MarketListing, type ListingColumns, viewListing } from "./views.ts";

export interface MarketPage extends Pick<MarketFacts, "vendors" | "staleAt"> {
  readonly listings: readonly MarketListing[];
  /** All that match, whatever the page. */
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/**
 * One page of what matches, with the exact number of all.
 * @throws AppError 403 when the caller asks where vendors stand and may not see it
 */
export async function searchMarket(
  query: MarketQuery,
  sees: Sees,
  { sequelize }: Context,
): Promise<MarketPage> {
  const asksWhere = query.map !== undefined || query.region !== undefined;
  if (asksWhere && !sees("location")) {
    throw forbidden("map and region are for those who may see where vendors stand");
  }
  const facts = await readMarketFacts(sequelize);
  const { total, rows } = await find(query, facts, sequelize);
  const { limit, offset } = query;
  const listings = rows.map((row) => viewListing(row, sees));
  return { listings, total, limit, offset, vendors: facts.vendors, staleAt: facts.staleAt };
}

interface Found {
  readonly total: number;
  readonly rows: readonly ListingColumns[];
}

async function find(
  query: MarketQuery,
  facts: MarketFacts,
  sequelize: Context["sequelize"],
): Promise<Found> {
  const filters = await readFilters(query, sequelize);
  if (!filters) return { total: 0, rows: [] };
  const matches = await countMatches(filters, facts, sequelize);
  if (query.offset >= matches.total) return { total: matches.total, rows: [] };
  return { total: matches.total, rows: await readPage(filters, matches, query, sequelize) };
}
