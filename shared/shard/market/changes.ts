import { haveSameFirstHalf } from "./digest.ts";
import type { ListingState, VendorState } from "./vendor-state.ts";
import type { ListingChangeRow, StoredListing } from "./vendors.sql.ts";

export interface VendorListing {
  readonly vendor: VendorState;
  readonly listing: ListingState;
}

/** A stored listing whose values change. */
export interface ChangedListing extends VendorListing {
  readonly row: StoredListing;
}

/** The writes that make the stored listings of some vendors equal to their states. */
export interface ListingDiff {
  readonly added: readonly VendorListing[];
  readonly altered: readonly ChangedListing[];
  readonly gone: readonly StoredListing[];
}

/** Compares listings. Stored listings of vendors without a state are gone. */
export function compareListings(
  states: readonly VendorState[],
  stored: readonly StoredListing[],
): ListingDiff {
  const rest = new Map(stored.map((row) => [keyOf(row.vendorSerial, row.serial), row]));
  const added: VendorListing[] = [];
  const altered: ChangedListing[] = [];
  for (const vendor of states) {
    for (const listing of vendor.listings.values()) {
      const key = keyOf(vendor.serial, listing.serial);
      const row = rest.get(key);
      rest.delete(key);
      if (!row) added.push({ vendor, listing });
      else if (row.digest !== listing.digest) altered.push({ vendor, listing, row });
    }
  }
  return { added, altered, gone: [...rest.values()] };
}

const keyOf = (vendorSerial: number, serial: number): string => `${vendorSerial}/${serial}`;

export const hasNewLabel = ({ row, listing }: ChangedListing): boolean =>
  !haveSameFirstHalf(row.digest, listing.digest);

/** Changes that matter to saved searches: new listings, prices and labels, not amounts or colors. */
export function searchableChanges({ added, altered }: ListingDiff): ListingChangeRow[] {
  const relabelledOrRepriced = altered.filter(
    (one) => one.row.price !== one.listing.price || hasNewLabel(one),
  );
  return [...added.map((one) => ({ ...one, row: null })), ...relabelledOrRepriced].map(
    ({ vendor, listing, row }) => ({
      vendorSerial: vendor.serial,
      serial: listing.serial,
      formerPrice: row && row.price,
      formerLabelId: row && row.labelId,
      ownerKey: vendor.ownerKey,
    }),
  );
}
