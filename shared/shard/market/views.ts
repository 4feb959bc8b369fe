import type { InferAttributes } from "sequelize";

import type { ListingLabel } from "../../../models/market/listing-label.ts";
import type { Listing } from "../../../models/market/listing.ts";
import type { Vendor } from "../../../models/market/vendor.ts";
import { formatSerial } from "../../platform/bridge/serial.ts";
import type { FieldAccessCheck } from "../visibility/view.ts";

export interface MarketLocation {
  readonly map: string | null;
  readonly x: number | null;
  readonly y: number | null;
  readonly z: number | null;
  readonly region: string | null;
  readonly house: string | null;
}

/** The vendor of a listing, without the fields that the caller may not see. */
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

type VendorAttributes = InferAttributes<Vendor>;
type Located = "placeId" | "map" | "region" | "x" | "y" | "z" | "house";

/** The columns of a vendor in all reads of the market. */
export interface VendorRow extends Pick<
  VendorAttributes,
  "shopName" | "ownerSerial" | "ownerName" | Located
> {
  readonly vendorSerial: VendorAttributes["serial"];
  readonly vendorUpdatedAt: VendorAttributes["updatedAt"];
}

/** The columns of a listing, of its vendor and of its label. */
export interface ListingRow
  extends
    VendorRow,
    Pick<InferAttributes<Listing>, "serial" | "itemId" | "hue" | "amount" | "price" | "child">,
    Pick<InferAttributes<ListingLabel>, "name" | "cliloc" | "displayName"> {}

export const viewVendor = (row: VendorRow, maySee: FieldAccessCheck): ListingVendor => ({
  serial: formatSerial(row.vendorSerial),
  shopName: row.shopName,
  ...(maySee("ownerSerial") && {
    ownerSerial: row.ownerSerial === null ? null : formatSerial(row.ownerSerial),
  }),
  ...(maySee("ownerName") && { ownerName: row.ownerName }),
  ...(maySee("location") && { location: locationOf(row) }),
  updatedAt: row.vendorUpdatedAt,
});

export const viewListing = (row: ListingRow, maySee: FieldAccessCheck): MarketListing => ({
  serial: formatSerial(row.serial),
  itemId: row.itemId,
  hue: row.hue,
  amount: row.amount,
  price: row.price,
  name: row.name,
  cliloc: row.cliloc,
  displayName: row.displayName,
  child: row.child,
  vendor: viewVendor(row, maySee),
});

function locationOf(row: VendorRow): MarketLocation | null {
  if (row.placeId === null) return null;
  const { map, x, y, z, region, house } = row;
  return { map, x, y, z, region, house };
}
