import { QueryTypes, type Sequelize } from "sequelize";

import { type Filters, type MarketQuery, sortOrders } from "./filters.ts";
import { few, type Matches } from "./matches.ts";
import { type ListingColumns, listingColumns } from "./views.ts";
import { Bound, selectMatching, selectWalked } from "./ways.ts";

type Paging = Pick<MarketQuery, "sort" | "limit" | "offset">;

/** The rows of one page, in order: all that match, sorted, where they are few, else a walk. */
export function readPage(
  filters: Filters,
  { total, way }: Matches,
  { sort, limit, offset }: Paging,
  sequelize: Sequelize,
): Promise<ListingColumns[]> {
  const bound = new Bound();
  const order = (table: string): string =>
    sortOrders[sort].map((column) => `${table}.${column}`).join(", ");
  const found =
    total <= few
      ? `with matching as materialized (${selectMatching(way, filters, bound)})
         select vendor_serial, serial from matching join listings using (vendor_serial, serial)
         order by ${order("listings")}`
      : selectWalked(filters, order("listings"), bound);
  const text = `
    with found as (${found} limit ${bound.add(limit)} offset ${bound.add(offset)})
    select ${listingColumns}
    from found
    join listings listing using (vendor_serial, serial)
    join vendors vendor on vendor.serial = listing.vendor_serial
    join listing_labels label on label.id = listing.label_id
    order by ${order("listing")}`;
  return sequelize.query<ListingColumns>(text, { bind: bound.values, type: QueryTypes.SELECT });
}
