import { serialText } from "../serial.ts";
import type { Sees } from "../view.ts";

export interface MarketLocation {
  readonly map: string | null;
  readonly x: number | null;
  readonly y: number | null;
  readonly z: number | null;
  readonly region: string | null;
  readonly house: string | null;
}

/** Where the listing is sold; fields gated above the caller are left out. */
export interface ListingVendor {
  readonly serial: string;
  readonly shopName: string | null;
  readonly ownerSerial?: string | null;
  readonly ownerName?: string | null;
  readonly location?: MarketLocation | null;
  readonly updatedAt: Date;
}

export interface MarketListing {
  readonly serial: string;
  readonly itemId: number;
  readonly hue: number;
  readonly amount: number;
  readonly price: number;
  readonly name: string | null;
  readonly cliloc: number | null;
  readonly displayName: string | null;
  readonly child: boolean;
  readonly vendor: ListingVendor;
}

/** A vendor's columns in a row of any market query. */
export interface VendorColumns {
  readonly vendor_serial: number;
  readonly shop_name: string | null;
  readonly owner_serial: number | null;
  readonly owner_name: string | null;
  readonly place_id: number | null;
  readonly map: string | null;
  readonly region: string | null;
  readonly x: number | null;
  readonly y: number | null;
  readonly z: number | null;
  readonly house: string | null;
  readonly vendor_updated_at: Date;
}

export interface ListingColumns extends VendorColumns {
  readonly serial: number;
  readonly item_id: number;
  readonly hue: number;
  readonly amount: number;
  readonly price: number;
  readonly name: string | null;
  readonly cliloc: number | null;
  readonly display_name: string | null;
  readonly child: boolean;
}

/** What the queries select for `VendorColumns`, from `vendor`. */
const vendorColumns = `
  vendor.serial as vendor_serial, vendor.shop_name, vendor.owner_serial, vendor.owner_name,
  vendor.place_id, vendor.map, vendor.region, vendor.x, vendor.y, vendor.z, vendor.house,
  vendor.updated_at as vendor_updated_at`;

/** What they select for `ListingColumns`, from `listing` and `label` too. */
export const listingColumns = `
  listing.serial, listing.item_id, listing.hue, listing.amount, listing.price, label.name,
  label.cliloc, label.display_name, listing.child, ${vendorColumns}`;

export const viewVendor = (row: VendorColumns, sees: Sees): ListingVendor => ({
  serial: serialText(row.vendor_serial),
  shopName: row.shop_name,
  ...(sees("ownerSerial") && {
    ownerSerial: row.owner_serial === null ? null : serialText(row.owner_serial),
  }),
  ...(sees("ownerName") && { ownerName: row.owner_name }),
  ...(sees("location") && { location: locationOf(row) }),
  updatedAt: row.vendor_updated_at,
});

export const viewListing = (row: ListingColumns, sees: Sees): MarketListing => ({
  serial: serialText(row.serial),
  itemId: row.item_id,
  hue: row.hue,
  amount: row.amount,
  price: row.price,
  name: row.name,
  cliloc: row.cliloc,
  displayName: row.display_name,
  child: row.child,
  vendor: viewVendor(row, sees),
});

function locationOf(row: VendorColumns): MarketLocation | null {
  if (row.place_id === null) return null;
  const { map, x, y, z, region, house } = row;
  return { map, x, y, z, region, house };
}
