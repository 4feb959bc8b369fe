import type { Sequelize } from "sequelize";

import { rows as readRows } from "../../platform/db/rows.ts";
import { SqlParams } from "../../platform/db/sql-text.ts";
import { AppError } from "../../platform/errors/errors.ts";
import type { ShardContext } from "../context.ts";
import type { MaySeeField } from "../visibility/view.ts";
import { countMatches, fewMatches, type Matches, selectCount } from "./counts.ts";
import { asksWhere, type Filters, type MarketQuery, readFilters, sortOrders } from "./filters.ts";
import { type MarketFacts, readMarketFacts } from "./meta.ts";
import {
  type Paging,
  selectDeep,
  selectFacts,
  selectMatching,
  selectPage,
  selectWalked,
} from "./search.sql.ts";
import { type ListingRow, type MarketListing, viewListing } from "./views.ts";

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

/** One page of what matches, and how it is found. */
interface PageAsked {
  readonly filters: Filters;
  readonly matches: Matches;
  readonly paging: Paging;
}

interface Page {
  readonly facts: MarketFacts;
  readonly rows: readonly ListingRow[];
}

interface CountedPage extends Page {
  /** All that match, whatever the page. */
  readonly total: number;
}

type RowOf<Facts> = Facts & (ListingRow | { readonly serial: null });

/**
 * The rows of one page, in order, and the market's facts of the same instant. The rows are right
 * whatever the matches say; those say how they are found soonest.
 */
async function readPage(asked: PageAsked, sequelize: Sequelize): Promise<Page> {
  const params = new SqlParams();
  const select = pageOf(asked, selectFacts, params);
  const rows = await readRows<RowOf<MarketFacts>>(sequelize, select, params.values);
  const { version, vendors, staleMs } = rows[0] ?? nothing;
  return { facts: { version, vendors, staleMs }, rows: rows.filter(isListing) };
}

/** The same, and the number of all that match counted in that instant too, which costs more. */
async function readCountedPage(asked: PageAsked, sequelize: Sequelize): Promise<CountedPage> {
  const params = new SqlParams();
  const count = selectCount(asked.filters, asked.matches.plan, params);
  const facts = `select facts.*, ${count} as total from (${selectFacts}) as facts`;
  const select = pageOf(asked, facts, params);
  const rows = await readRows<RowOf<MarketFacts & { total: number }>>(
    sequelize,
    select,
    params.values,
  );
  const { version, vendors, staleMs, total } = rows[0] ?? nothing;
  return { facts: { version, vendors, staleMs }, rows: rows.filter(isListing), total };
}

const nothing = { version: 0, vendors: 0, staleMs: null, total: 0 };

const isListing = <Facts>(row: RowOf<Facts>): row is Facts & ListingRow => row.serial !== null;

/** Where the segments of an order say where to begin: a walk there would be longer than one of them. */
const deepOffset = 2_000;

function pageOf({ filters, matches, paging }: PageAsked, facts: string, params: SqlParams): string {
  const { sort, limit, offset } = paging;
  const order = (table: string): string =>
    sortOrders[sort].map((column) => `${table}.${column}`).join(", ");
  if (offset >= deepOffset && hasSegments(filters, sort)) {
    // A deep page of a range ends where the range does.
    const rest = { ...paging, limit: Math.min(limit, Math.max(0, matches.total - offset)) };
    return selectPage(facts, selectDeep(filters, rest, params), order("listing"));
  }
  const found = isLookedUp(matches, paging)
    ? `with matching as materialized (${selectMatching(matches.plan, filters, params)})
       select vendor_serial, serial from matching order by ${order("matching")}`
    : selectWalked(filters, order("listings"), params);
  const paged = `${found} limit ${params.add(limit)} offset ${params.add(offset)}`;
  return selectPage(facts, paged, order("listing"));
}

/** Whether all that match lie together in the order: all listings do, and a range of prices by price. */
const hasSegments = (
  { pattern, itemId, placeIds, minPrice, maxPrice }: Filters,
  sort: Paging["sort"],
): boolean =>
  [pattern, itemId, placeIds].every((given) => given === undefined) &&
  (sort !== "recent" || (minPrice ?? maxPrice) === undefined);

/**
 * All that match are looked up and sorted where they are few, and also where they are more and the page
 * lies deep: a walk along the index of the order passes many others between two of them.
 */
const isLookedUp = ({ total, plan }: Matches, { limit, offset }: Paging): boolean =>
  plan !== "walk" && (total <= fewMatches || (offset + limit) * 20 >= total);
