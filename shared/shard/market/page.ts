import { QueryTypes, type Sequelize } from "sequelize";

import { type Filters, type MarketQuery, sortOrders } from "./filters.ts";
import { fewMatches, type Matches, selectCount } from "./matches.ts";
import { type MarketFacts, selectFacts } from "./meta.ts";
import { type ListingColumns, listingColumns } from "./views.ts";
import { Bound, selectMatching, selectWalked } from "./ways.ts";

/** One page of what matches, and how it is found. */
export interface PageAsked {
  readonly filters: Filters;
  readonly matches: Matches;
  readonly paging: Pick<MarketQuery, "sort" | "limit" | "offset">;
}

export interface Page {
  readonly facts: MarketFacts;
  readonly rows: readonly ListingColumns[];
}

export interface CountedPage extends Page {
  /** All that match, whatever the page. */
  readonly total: number;
}

type RowOf<Facts> = Facts & (ListingColumns | { readonly serial: null });

/**
 * The rows of one page, in order, and the market's facts of the same instant. The rows are right
 * whatever the matches say; those say how they are found soonest.
 */
export async function readPage(asked: PageAsked, sequelize: Sequelize): Promise<Page> {
  const bound = new Bound();
  const rows = await read<MarketFacts>(selectPage(asked, selectFacts, bound), bound, sequelize);
  const { version, vendors, staleMs } = rows[0] ?? nothing;
  return { facts: { version, vendors, staleMs }, rows: rows.filter(isListing) };
}

/** The same, and the number of all that match counted in that instant too, which costs more. */
export async function readCountedPage(
  asked: PageAsked,
  sequelize: Sequelize,
): Promise<CountedPage> {
  const bound = new Bound();
  const count = selectCount(asked.filters, asked.matches.way, bound);
  const facts = `select facts.*, ${count} as total from (${selectFacts}) as facts`;
  const select = selectPage(asked, facts, bound);
  const rows = await read<MarketFacts & { total: number }>(select, bound, sequelize);
  const { version, vendors, staleMs, total } = rows[0] ?? nothing;
  return { facts: { version, vendors, staleMs }, rows: rows.filter(isListing), total };
}

const nothing = { version: 0, vendors: 0, staleMs: null, total: 0 };

const read = <Facts extends object>(
  select: string,
  { values }: Bound,
  sequelize: Sequelize,
): Promise<RowOf<Facts>[]> =>
  sequelize.query<RowOf<Facts>>(select, { bind: values, type: QueryTypes.SELECT });

const isListing = <Facts>(row: RowOf<Facts>): row is Facts & ListingColumns => row.serial !== null;

/** All that match, sorted, where they are few; else a walk along the index of the order. */
function selectPage({ filters, matches, paging }: PageAsked, facts: string, bound: Bound): string {
  const { total, way } = matches;
  const { sort, limit, offset } = paging;
  const order = (table: string): string =>
    sortOrders[sort].map((column) => `${table}.${column}`).join(", ");
  const found =
    total <= fewMatches
      ? `with matching as materialized (${selectMatching(way, filters, bound)})
         select vendor_serial, serial from matching join listings using (vendor_serial, serial)
         order by ${order("listings")}`
      : selectWalked(filters, order("listings"), bound);
  return `
    with found as (${found} limit ${bound.add(limit)} offset ${bound.add(offset)})
    select facts.*, ${listingColumns}
    from (${facts}) as facts
    left join (
      found join listings listing using (vendor_serial, serial)
      join vendors vendor on vendor.serial = listing.vendor_serial
      join listing_labels label on label.id = listing.label_id
    ) on true
    order by ${order("listing")}`;
}
