import { QueryTypes } from "sequelize";

import type { Context } from "../../context.ts";
import { missing } from "../../errors.ts";
import type { Sees } from "../view.ts";
import { serialNumber } from "./serial-number.ts";
import {
  type ListingColumns,
  listingColumns,
  type ListingVendor,
  type MarketListing,
  vendorColumns,
  type VendorColumns,
  viewListing,
  viewVendor,
} from "./views.ts";

export interface MarketVendor extends ListingVendor {
  /** Listings published. */
  readonly count: number;
  /** Listings held, those that are not for sale too. */
  readonly total: number;
  /** Whether more are held than published. */
  readonly truncated: boolean;
  readonly items: readonly MarketListing[];
}

interface Row extends VendorColumns {
  readonly count: number;
  readonly total: number;
}

/**
 * One vendor with a page of its listings, cheapest first.
 * @throws AppError 404 for one that is unknown, dismissed or hidden
 */
export async function readVendor(
  serial: string,
  paging: { readonly limit: number; readonly offset: number },
  sees: Sees,
  { sequelize }: Context,
): Promise<MarketVendor> {
  const number = serialNumber(serial);
  const [row] = await sequelize.query<Row>(vendorBySerial, {
    bind: [number],
    type: QueryTypes.SELECT,
  });
  if (!row) throw missing("Unknown vendor");
  const items = await sequelize.query<ListingColumns>(listingsOfVendor, {
    bind: [number, paging.limit, paging.offset],
    type: QueryTypes.SELECT,
  });
  const { count, total } = row;
  return {
    ...viewVendor(row, sees),
    count,
    total,
    truncated: total > count,
    items: items.map((item) => viewListing(item, sees)),
  };
}

const vendorBySerial = `
  select ${vendorColumns}, vendor.count, vendor.total
  from vendors vendor
  where vendor.listed and vendor.serial = $1`;

const listingsOfVendor = `
  select ${listingColumns}
  from listings listing
  join vendors vendor on vendor.serial = listing.vendor_serial
  join listing_labels label on label.id = listing.label_id
  where listing.vendor_serial = $1
  order by listing.price, listing.serial limit $2 offset $3`;
