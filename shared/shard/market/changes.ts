import { haveSameGroupDigest } from "./labels.ts";
import type { ListingState, VendorState } from "./vendor-state.ts";
import type { ListingChangeRow, StoredListing } from "./vendors.sql.ts";

/** A listing of a vendor with its stored row, which is null for a new listing. */
export interface VendorListing<Row = StoredListing | null> {
  readonly vendor: VendorState;
  readonly listing: ListingState;
  readonly row: Row;
}

/** The writes that make the stored listings of some vendors equal to their states. */
export interface ListingDiff {
  readonly added: readonly VendorListing<null>[];
  /** Stored listings whose values change. */
  readonly altered: readonly VendorListing<StoredListing>[];
  readonly gone: readonly StoredListing[];
}

/** Compares listings. Stored listings of a vendor without a state are deleted. */
export function compareListings(
  states: readonly VendorState[],
  stored: readonly StoredListing[],
): ListingDiff {
  const rest = new Map(stored.map((row) => [keyOf(row.vendorSerial, row.serial), row]));
  const added: VendorListing<null>[] = [];
  const altered: VendorListing<StoredListing>[] = [];
  for (const vendor of states) {
    for (const listing of vendor.listings) {
      const key = keyOf(vendor.row.serial, listing.serial);
      const row = rest.get(key);
      rest.delete(key);
      if (!row) added.push({ vendor, listing, row: null });
      else if (row.digest !== listing.digest) altered.push({ vendor, listing, row });
    }
  }
  return { added, altered, gone: [...rest.values()] };
}

const keyOf = (vendorSerial: number, serial: number): string => `${vendorSerial}/${serial}`;

export const hasNewLabel = ({ row, listing }: VendorListing<StoredListing>): boolean =>
  !haveSameGroupDigest(row.digest, listing.digest);

/** Returns the changes that matter to saved searches: new listings, prices and labels, not amounts or colors. */
export function selectSearchableChanges({ added, altered }: ListingDiff): ListingChangeRow[] {
  const relabelledOrRepriced = altered.filter(
    (one) => one.row.price !== one.listing.price || hasNewLabel(one),
  );
  return [...added, ...relabelledOrRepriced].map(({ vendor, listing, row }) => ({
    vendorSerial: vendor.row.serial,
    serial: listing.serial,
    formerPrice: row && row.price,
    formerLabelId: row && row.labelId,
    ownerKey: vendor.ownerKey,
  }));
}
