import type { AlteredListing, VendorListing } from "./changes.ts";
import type { PlaceIds } from "./places.ts";
import type { VendorState } from "./vendor-state.ts";
import type { WrittenListing, WrittenVendor } from "./vendors-sql.ts";

/** The row of a listing; one that was not labelled anew keeps its label. */
export const toListingRow =
  (labelIds: ReadonlyMap<string, number>, placeIds: PlaceIds) =>
  ({ vendor, listing, ...altered }: VendorListing | AlteredListing): WrittenListing => {
    const { label, ...columns } = listing;
    const kept = "row" in altered ? altered.row.labelId : 0;
    return {
      ...columns,
      vendorSerial: vendor.serial,
      labelId: labelIds.get(label.key) ?? kept,
      placeId: placeIds.get(vendor.serial) ?? null,
    };
  };

export const toVendorRow =
  (placeIds: PlaceIds) =>
  ({ listings, location, ownerKey: _kept, ...columns }: VendorState): WrittenVendor => ({
    ...nowhere,
    ...columns,
    ...location,
    placeId: placeIds.get(columns.serial) ?? null,
    count: listings.size,
  });

const nowhere = { map: null, region: null, x: null, y: null, z: null, house: null };
