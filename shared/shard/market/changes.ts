import type { Label } from "./label.ts";
import type { StoredListing } from "./stored.ts";
import type { ListingState, VendorState } from "./vendor-state.ts";

/** A listing as it is to be, and the vendor that holds it. */
export interface Held {
  readonly vendor: VendorState;
  readonly listing: ListingState;
}

/** What must be written so that the stored listings of some vendors are those of their states. */
export interface Changes {
  readonly added: readonly Held[];
  readonly altered: readonly Held[];
  readonly gone: readonly StoredListing[];
  /** How many listings more, or fewer, bear a label than before, by its key; never by nothing. */
  readonly borne: ReadonlyMap<string, number>;
  /** Ids of the labels that the stored listings bear, by key. */
  readonly knownLabels: ReadonlyMap<string, number>;
  /** Labels of what is added or altered that no stored listing here bears. */
  readonly otherLabels: readonly Label[];
}

/** Listings of vendors that are stored and not among the states are gone. */
export function compareListings(
  states: readonly VendorState[],
  stored: readonly StoredListing[],
): Changes {
  const rest = new Map(stored.map((row) => [keyOf(row.vendorSerial, row.serial), row]));
  const added: Held[] = [];
  const altered: Held[] = [];
  const borne = new Map<string, number>();
  for (const held of states.flatMap(heldBy)) {
    const key = keyOf(held.vendor.serial, held.listing.serial);
    const row = rest.get(key);
    rest.delete(key);
    if (row && isSame(row, held.listing)) continue;
    (row ? altered : added).push(held);
    if (row) count(borne, row.labelKey, -1);
    count(borne, held.listing.label.key, 1);
  }
  const gone = [...rest.values()];
  for (const { labelKey } of gone) count(borne, labelKey, -1);
  return { added, altered, gone, borne, ...labelsOf([...added, ...altered], stored) };
}

const keyOf = (vendorSerial: number, serial: number): string => `${vendorSerial}/${serial}`;

const heldBy = (vendor: VendorState): Held[] =>
  [...vendor.listings.values()].map((listing) => ({ vendor, listing }));

const isSame = (row: StoredListing, listing: ListingState): boolean =>
  row.price === listing.price &&
  row.amount === listing.amount &&
  row.labelKey === listing.label.key &&
  row.itemId === listing.itemId &&
  row.hue === listing.hue &&
  row.child === listing.child;

function count(borne: Map<string, number>, key: string, by: 1 | -1): void {
  const sum = (borne.get(key) ?? 0) + by;
  if (sum === 0) borne.delete(key);
  else borne.set(key, sum);
}

function labelsOf(
  written: readonly Held[],
  stored: readonly StoredListing[],
): Pick<Changes, "knownLabels" | "otherLabels"> {
  const knownLabels = new Map(stored.map(({ labelKey, labelId }) => [labelKey, labelId]));
  const labels = new Map(written.map(({ listing: { label } }) => [label.key, label]));
  return {
    knownLabels,
    otherLabels: [...labels.values()].filter(({ key }) => !knownLabels.has(key)),
  };
}
