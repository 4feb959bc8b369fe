import type { Sequelize } from "sequelize";

import type { Context } from "../../context.ts";
import { forbidden } from "../../errors.ts";
import type { Sees } from "../view.ts";
import { type Filters, type MarketQuery, readFilters } from "./filters.ts";
import { countMatches } from "./matches.ts";
import { readMarketFacts } from "./meta.ts";
import { type CountedPage, readCountedPage, readPage } from "./page.ts";
import { type MarketListing, viewListing } from "./views.ts";

export interface MarketPage {
  readonly listings: readonly MarketListing[];
  /** All that match, whatever the page. */
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  /** Vendors in the whole market. */
  readonly vendors: number;
  /** When the vendor that has been silent longest was last heard of. */
  readonly staleAt: Date | null;
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
  const filters = await readFilters(query, sequelize);
  const { total, rows, facts } = filters
    ? await find(filters, query, sequelize)
    : { total: 0, rows: [], facts: await readMarketFacts(sequelize) };
  const { limit, offset } = query;
  const { vendors, staleMs } = facts;
  const staleAt = staleMs === null ? null : new Date(staleMs);
  const listings = rows.map((row) => viewListing(row, sees));
  return { listings, total, limit, offset, vendors, staleAt };
}

/**
 * Reads the page first where a count is kept, if of an older market: the page brings the version
 * along that says whether the count still holds, and most often it does. A count that was made for
 * this very search holds anyhow: in a lively market every one would be counted twice.
 */
async function find(
  filters: Filters,
  paging: MarketQuery,
  sequelize: Sequelize,
): Promise<CountedPage> {
  const askedAt = performance.now();
  const guess = await countMatches(filters, sequelize);
  const { facts, rows } =
    paging.offset < guess.total
      ? await readPage({ filters, matches: guess, paging }, sequelize)
      : { facts: await readMarketFacts(sequelize), rows: [] };
  const isOwn = guess.begunAt >= askedAt;
  const matches = isOwn ? guess : await countMatches(filters, sequelize, facts.version);
  const { total } = matches;
  // A write that came between the two shows where the page does not hold what the total says.
  if (rows.length === sizeOfPage(total, paging)) return { facts, rows, total };
  return readCountedPage({ filters, matches, paging }, sequelize);
}

const sizeOfPage = (total: number, { limit, offset }: MarketQuery): number =>
  Math.max(0, Math.min(limit, total - offset));
