import { QueryTypes, type Sequelize } from "sequelize";

import { type Filters, type MarketQuery, sortOrders } from "./filters.ts";
import { few, type Matches } from "./matches.ts";
import { type MarketFacts, selectFacts } from "./meta.ts";
import { type ListingColumns, listingColumns } from "./views.ts";
import { Bound, selectMatching, selectWalked } from "./ways.ts";

type Paging = Pick<MarketQuery, "sort" | "limit" | "offset">;

export interface Page {
  readonly facts: MarketFacts;
  readonly rows: readonly ListingColumns[];
}

type Row = MarketFacts & (ListingColumns | { readonly serial: null });

/**
 * The rows of one page, in order, and the market's facts of the same instant. The rows are right
 * whatever the matches say; those say how they are found soonest.
 */
export async function readPage(
  filters: Filters,
  matches: Matches,
  paging: Paging,
  sequelize: Sequelize,
): Promise<Page> {
  const bound = new Bound();
  const rows = await sequelize.query<Row>(selectPage(filters, matches, paging, bound), {
    bind: bound.values,
    type: QueryTypes.SELECT,
  });
  const { version, vendors, staleMs } = rows[0] ?? { version: 0, vendors: 0, staleMs: null };
  return {
    facts: { version, vendors, staleMs },
    rows: rows.filter((row): row is MarketFacts & ListingColumns => row.serial !== null),
  };
}

/** All that match, sorted, where they are few; else a walk along the index of the order. */
function selectPage(
  filters: Filters,
  { total, way }: Matches,
  { sort, limit, offset }: Paging,
  bound: Bound,
): string {
  const order = (table: string): string =>
    sortOrders[sort].map((column) => `${table}.${column}`).join(", ");
  const found =
    total <= few
      ? `with matching as materialized (${selectMatching(way, filters, bound)})
         select vendor_serial, serial from matching join listings using (vendor_serial, serial)
         order by ${order("listings")}`
      : selectWalked(filters, order("listings"), bound);
  return `
    with found as (${found} limit ${bound.add(limit)} offset ${bound.add(offset)})
    select facts.*, ${listingColumns}
    from (${selectFacts}) as facts
    left join (
      found join listings listing using (vendor_serial, serial)
      join vendors vendor on vendor.serial = listing.vendor_serial
      join listing_labels label on label.id = listing.label_id
    ) on true
    order by ${order("listing")}`;
}
