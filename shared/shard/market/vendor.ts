import { QueryTypes } from "sequelize";

import type { Context } from "../../context.ts";
import { missing } from "../../errors.ts";
import { serialNumber } from "../serial.ts";
import type { Sees } from "../view.ts";
import {
  type ListingColumns,
  listingColumns,
  type ListingVendor,
  type MarketListing,
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

interface Counts {
  readonly count: number;
  readonly total: number;
}

type Row = Counts & (ListingColumns | (VendorColumns & { readonly serial: null }));

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
  const rows = await sequelize.query<Row>(vendorWithPage, {
    bind: [serialNumber(serial), paging.limit, paging.offset],
    type: QueryTypes.SELECT,
  });
  const [vendor] = rows;
  if (!vendor) throw missing("Unknown vendor");
  const { count, total } = vendor;
  const items = rows.filter((row): row is Counts & ListingColumns => row.serial !== null);
  return {
    ...viewVendor(vendor, sees),
    count,
    total,
    truncated: total > count,
    items: items.map((item) => viewListing(item, sees)),
  };
}

/** The vendor and its page in one look: a write between two would set them at odds. */
const vendorWithPage = `
  select vendor.count, vendor.total, ${listingColumns}
  from vendors vendor
  left join (
    select * from listings where vendor_serial = $1 order by price, serial limit $2 offset $3
  ) listing on true
  left join listing_labels label on label.id = listing.label_id
  where vendor.listed and vendor.serial = $1
  order by listing.price, listing.serial`;
