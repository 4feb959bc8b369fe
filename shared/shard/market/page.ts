import { QueryTypes, type Sequelize } from "sequelize";

import { Conditions, type Filters, type MarketQuery, sortOrders } from "./filters.ts";
import { few, type Matches } from "./matches.ts";
import { type ListingColumns, listingColumns } from "./views.ts";

type Paging = Pick<MarketQuery, "sort" | "limit" | "offset">;

/** The rows of one page, in order. */
export function readPage(
  filters: Filters,
  matches: Matches,
  paging: Paging,
  sequelize: Sequelize,
): Promise<ListingColumns[]> {
  const where = new Conditions();
  const order = (table: string): string =>
    sortOrders[paging.sort].map((column) => `${table}.${column}`).join(", ");
  const found = matches.total <= few ? gather : walk;
  const text = `
    with found as (
      ${found(filters, matches, where, order)}
      limit ${where.bind(paging.limit)} offset ${where.bind(paging.offset)}
    )
    select ${listingColumns}
    from found
    join listings listing using (vendor_serial, serial)
    join vendors vendor on vendor.serial = listing.vendor_serial
    join listing_labels label on label.id = listing.label_id
    left join places place on place.id = vendor.place_id
    order by ${order("listing")}`;
  return sequelize.query<ListingColumns>(text, { bind: where.values, type: QueryTypes.SELECT });
}

type Order = (table: string) => string;

/**
 * All that match, then sorted. Materialized: the planner, told of a limit, would rather walk an
 * index in order and hope to meet enough of them soon.
 */
function gather(filters: Filters, { byLabel }: Matches, where: Conditions, order: Order): string {
  const name = byLabel ? where.label(filters) : where.name(filters);
  return `with matching as materialized (
        select vendor_serial, serial, price, updated_at from listings
        where ${name} and ${where.price(filters)} and ${where.rest(filters)}
      )
      select vendor_serial, serial from matching order by ${order("matching")}`;
}

/**
 * The index of the order, from its end until the page is full. Fenced by `offset 0`: the planner,
 * guessing few matches for a name, would rather sort the whole table. What is found keeps the
 * order of the walk.
 */
function walk(filters: Filters, _: Matches, where: Conditions, order: Order): string {
  return `select vendor_serial, serial from (
        select vendor_serial, serial, search_name, item_id, place_id from listings
        where ${where.price(filters)} order by ${order("listings")} offset 0
      ) walked
      where ${where.name(filters)} and ${where.rest(filters)}`;
}
