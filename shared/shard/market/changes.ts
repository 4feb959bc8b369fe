import { startsAlike } from "./digest.ts";
import type { StoredListing } from "./stored.ts";
import type { ListingState, VendorState } from "./vendor-state.ts";

/** A listing as it is to be, and the vendor that holds it. */
export interface Held {
  readonly vendor: VendorState;
  readonly listing: ListingState;
}

/** One that is stored otherwise. */
export interface Altered extends Held {
  readonly row: StoredListing;
}

/** What must be written so that the stored listings of some vendors are those of their states. */
export interface Changes {
  readonly added: readonly Held[];
  readonly altered: readonly Altered[];
  readonly gone: readonly StoredListing[];
}

/** Stored listings of vendors that are not among the states are gone. */
export function compareListings(
  states: readonly VendorState[],
  stored: readonly StoredListing[],
): Changes {
  const rest = new Map(stored.map((row) => [keyOf(row.vendorSerial, row.serial), row]));
  const added: Held[] = [];
  const altered: Altered[] = [];
  for (const held of states.flatMap(heldBy)) {
    const key = keyOf(held.vendor.serial, held.listing.serial);
    const row = rest.get(key);
    rest.delete(key);
    if (!row) added.push(held);
    else if (row.digest !== held.listing.digest) altered.push({ ...held, row });
  }
  return { added, altered, gone: [...rest.values()] };
}

const keyOf = (vendorSerial: number, serial: number): string => `${vendorSerial}/${serial}`;

const heldBy = (vendor: VendorState): Held[] =>
  [...vendor.listings.values()].map((listing) => ({ vendor, listing }));

export const isRelabelled = ({ row, listing }: Altered): boolean =>
  !startsAlike(row.digest, listing.digest);
