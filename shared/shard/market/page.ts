import type { Sequelize } from "sequelize";

import { rows as readRows } from "../../db/rows.ts";
import { SqlParams } from "../../db/sql-params.ts";
import { fewMatches, type Matches, selectCount } from "./count-matches.ts";
import { type Filters, type MarketQuery, sortOrders } from "./filters.ts";
import type { MarketFacts } from "./meta.ts";
import { selectFacts, selectMatching, selectPage, selectWalked } from "./search-sql.ts";
import type { ListingRow } from "./views.ts";

/** One page of what matches, and how it is found. */
export interface PageAsked {
  readonly filters: Filters;
  readonly matches: Matches;
  readonly paging: Pick<MarketQuery, "sort" | "limit" | "offset">;
}

export interface Page {
  readonly facts: MarketFacts;
  readonly rows: readonly ListingRow[];
}

export interface CountedPage extends Page {
  /** All that match, whatever the page. */
  readonly total: number;
}

type RowOf<Facts> = Facts & (ListingRow | { readonly serial: null });

/**
 * The rows of one page, in order, and the market's facts of the same instant. The rows are right
 * whatever the matches say; those say how they are found soonest.
 */
export async function readPage(asked: PageAsked, sequelize: Sequelize): Promise<Page> {
  const params = new SqlParams();
  const select = pageOf(asked, selectFacts, params);
  const rows = await readRows<RowOf<MarketFacts>>(sequelize, select, params.values);
  const { version, vendors, staleMs } = rows[0] ?? nothing;
  return { facts: { version, vendors, staleMs }, rows: rows.filter(isListing) };
}

/** The same, and the number of all that match counted in that instant too, which costs more. */
export async function readCountedPage(
  asked: PageAsked,
  sequelize: Sequelize,
): Promise<CountedPage> {
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

/** All that match, sorted, where they are few; else a walk along the index of the order. */
function pageOf({ filters, matches, paging }: PageAsked, facts: string, params: SqlParams): string {
  const { total, plan } = matches;
  const { sort, limit, offset } = paging;
  const order = (table: string): string =>
    sortOrders[sort].map((column) => `${table}.${column}`).join(", ");
  const found =
    total <= fewMatches
      ? `with matching as materialized (${selectMatching(plan, filters, params)})
         select vendor_serial, serial from matching join listings using (vendor_serial, serial)
         order by ${order("listings")}`
      : selectWalked(filters, order("listings"), params);
  const paged = `${found} limit ${params.add(limit)} offset ${params.add(offset)}`;
  return selectPage(facts, paged, order("listing"));
}
