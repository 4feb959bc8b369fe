import type { Sequelize } from "sequelize";

import { rows as readRows } from "../../platform/db/rows.ts";
import { SqlParams } from "../../platform/db/sql-text.ts";
import { AppError } from "../../platform/errors/errors.ts";
import type { ShardContext } from "../context.ts";
import type { FieldAccessCheck } from "../visibility/view.ts";
import { countMatchingListings, maxLookups, type MatchCount, buildCountSql } from "./counts.ts";
import {
  isFilteredByPlace,
  type ColumnFilters,
  type MarketQuery,
  readFilters,
  sortOrders,
} from "./filters.ts";
import { type MarketSummary, readMarketSummary } from "./meta.ts";
import {
  type Paging,
  selectFromSegmentsSql,
  selectMarketSummarySql,
  selectMatchingListingsSql,
  selectListingPageSql,
  selectByIndexScanSql,
} from "./search.sql.ts";
import { type ListingRow, type MarketListing, viewListing } from "./views.ts";

export interface MarketPage {
  readonly listings: readonly MarketListing[];
  /** Number of all matches, independent of the page. */
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  /** Vendors in the whole market. */
  readonly vendors: number;
  /** Earliest update time of the listed vendors. */
  readonly staleAt: Date | null;
}

/**
 * Returns one page of matching listings, with the exact total.
 * @throws AppError 403 for a filter by place if the caller may not see places
 */
export async function searchMarket(
  query: MarketQuery,
  maySee: FieldAccessCheck,
  context: ShardContext,
): Promise<MarketPage> {
  if (isFilteredByPlace(query) && !maySee("location")) {
    throw new AppError(
      "feature_locked",
      "map and region require the right to see where vendors stand",
    );
  }
  const filters = await readFilters(query, context);
  const { sequelize } = context;
  const { total, rows, facts } = filters
    ? await searchPage(filters, query, sequelize)
    : { total: 0, rows: [], facts: await readMarketSummary(sequelize) };
  const { limit, offset } = query;
  const { vendors, staleMs } = facts;
  const staleAt = staleMs === null ? null : new Date(staleMs);
  const listings = rows.map((row) => viewListing(row, maySee));
  return { listings, total, limit, offset, vendors, staleAt };
}

/**
 * Reads the page with a cached count first, even if the count is of an older version of the market. The page also
 * returns the market's current version, which usually equals the count's version. A count that was made for this
 * search is used for any version, because a busy market would cause a second count each time.
 */
async function searchPage(
  filters: ColumnFilters,
  paging: MarketQuery,
  sequelize: Sequelize,
): Promise<CountedPage> {
  const askedAt = performance.now();
  const guess = await countMatchingListings(filters, sequelize);
  const { facts, rows } =
    paging.offset < guess.total
      ? await readPage({ filters, matches: guess, paging }, sequelize)
      : { facts: await readMarketSummary(sequelize), rows: [] };
  const isFreshCount = guess.begunAt >= askedAt;
  const matches = isFreshCount
    ? guess
    : await countMatchingListings(filters, sequelize, facts.version);
  const { total } = matches;
  // If the market changed between the two reads, the length of the page may contradict the total.
  if (rows.length === sizeOfPage(total, paging)) return { facts, rows, total };
  return readCountedPage({ filters, matches, paging }, sequelize);
}

const sizeOfPage = (total: number, { limit, offset }: MarketQuery): number =>
  Math.max(0, Math.min(limit, total - offset));

/** A page to read, and the plan to find it. */
interface PageRequest {
  readonly filters: ColumnFilters;
  readonly matches: MatchCount;
  readonly paging: Paging;
}

interface Page {
  readonly facts: MarketSummary;
  readonly rows: readonly ListingRow[];
}

interface CountedPage extends Page {
  readonly total: number;
}

type RowOf<Facts> = Facts & (ListingRow | { readonly serial: null });

/**
 * Reads a page with the market's summary in the same snapshot. `matches` is used only to choose the fastest plan.
 */
async function readPage(asked: PageRequest, sequelize: Sequelize): Promise<Page> {
  const params = new SqlParams();
  const select = pageOf(asked, selectMarketSummarySql, params);
  const rows = await readRows<RowOf<MarketSummary>>(sequelize, select, params.values);
  const { version, vendors, staleMs } = rows[0] ?? emptySummary;
  return { facts: { version, vendors, staleMs }, rows: rows.filter(isListing) };
}

/** Reads a page like `readPage`, and counts the total in the same snapshot, which takes longer. */
async function readCountedPage(asked: PageRequest, sequelize: Sequelize): Promise<CountedPage> {
  const params = new SqlParams();
  const count = buildCountSql(asked.filters, asked.matches.plan, params);
  const facts = `select facts.*, ${count} as total from (${selectMarketSummarySql}) as facts`;
  const select = pageOf(asked, facts, params);
  const rows = await readRows<RowOf<MarketSummary & { total: number }>>(
    sequelize,
    select,
    params.values,
  );
  const { version, vendors, staleMs, total } = rows[0] ?? emptySummary;
  return { facts: { version, vendors, staleMs }, rows: rows.filter(isListing), total };
}

const emptySummary = { version: 0, vendors: 0, staleMs: null, total: 0 };

const isListing = <Facts>(row: RowOf<Facts>): row is Facts & ListingRow => row.serial !== null;

/**
 * From this offset on, segments locate the page, because a scan up to the offset would read more rows than a
 * segment has.
 */
const segmentOffset = 2_000;

function pageOf(
  { filters, matches, paging }: PageRequest,
  facts: string,
  params: SqlParams,
): string {
  const { sort, limit, offset } = paging;
  const order = (table: string): string =>
    sortOrders[sort].map((column) => `${table}.${column}`).join(", ");
  if (offset >= segmentOffset && isContiguous(filters, sort)) {
    // The last page of a range of prices must not continue after the range.
    const rest = { ...paging, limit: Math.min(limit, Math.max(0, matches.total - offset)) };
    return selectListingPageSql(
      facts,
      selectFromSegmentsSql(filters, rest, params),
      order("listing"),
    );
  }
  const found = shouldLookUp(matches, paging)
    ? `with matching as materialized (${selectMatchingListingsSql(matches.plan, filters, params)})
       select vendor_serial, serial from matching order by ${order("matching")}`
    : selectByIndexScanSql(filters, order("listings"), params);
  const paged = `${found} limit ${params.add(limit)} offset ${params.add(offset)}`;
  return selectListingPageSql(facts, paged, order("listing"));
}

/** Returns true if the matches are adjacent in the sort order: all listings, or a price range sorted by price. */
const isContiguous = (
  { pattern, itemId, placeIds, minPrice, maxPrice }: ColumnFilters,
  sort: Paging["sort"],
): boolean =>
  [pattern, itemId, placeIds].every((given) => given === undefined) &&
  (sort !== "recent" || (minPrice ?? maxPrice) === undefined);

/**
 * Returns true if all matches are to be looked up and sorted. That is fastest for few matches, and for a page
 * with a large offset: a scan of the index would read many listings that do not match.
 */
const shouldLookUp = ({ total, plan }: MatchCount, { limit, offset }: Paging): boolean =>
  plan !== "walk" && (total <= maxLookups || (offset + limit) * 20 >= total);
