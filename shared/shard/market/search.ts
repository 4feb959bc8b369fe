import type { Sequelize } from "sequelize";

import { AppError } from "../../platform/errors/errors.ts";
import type { ShardContext } from "../context.ts";
import type { MaySeeField } from "../visibility/view.ts";
import { countMatches } from "./count-matches.ts";
import { asksWhere, type Filters, type MarketQuery, readFilters } from "./filters.ts";
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
  maySee: MaySeeField,
  context: ShardContext,
): Promise<MarketPage> {
  if (asksWhere(query) && !maySee("location")) {
    throw new AppError(
      "feature_locked",
      "map and region are for those who may see where vendors stand",
    );
  }
  const filters = await readFilters(query, context);
  const { sequelize } = context;
  const { total, rows, facts } = filters
    ? await find(filters, query, sequelize)
    : { total: 0, rows: [], facts: await readMarketFacts(sequelize) };
  const { limit, offset } = query;
  const { vendors, staleMs } = facts;
  const staleAt = staleMs === null ? null : new Date(staleMs);
  const listings = rows.map((row) => viewListing(row, maySee));
  return { listings, total, limit, offset, vendors, staleAt };
}

/**
 * Reads the page by a cached count first, even one of an older market: the page brings the market's
 * version, which says whether the count still holds, and most often it does. A count that was made
 * for this search is taken as it is, or in a lively market everything would be counted twice.
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
  // A write between the two reads shows in a page that is not as long as the total says.
  if (rows.length === sizeOfPage(total, paging)) return { facts, rows, total };
  return readCountedPage({ filters, matches, paging }, sequelize);
}

const sizeOfPage = (total: number, { limit, offset }: MarketQuery): number =>
  Math.max(0, Math.min(limit, total - offset));
