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
  /** Labels that bear more or fewer listings than before, by key; never by nothing. */
  readonly borne: ReadonlyMap<string, number>;
  /** Ids of the labels that the stored listings bear, by key. */
  readonly knownLabels: ReadonlyMap<string, number>;
  /** Labels of what is added or altered that none of the stored listings bear, by key. */
  readonly otherLabels: ReadonlyMap<string, Label>;
}

export function compareListings(
  states: readonly VendorState[],
  stored: readonly StoredListing[],
): Changes {
  const before = Map.groupBy(stored, ({ vendorSerial }) => vendorSerial);
  const added: Held[] = [];
  const altered: Held[] = [];
  const gone: StoredListing[] = [];
  const borne = new Map<string, number>();
  for (const vendor of states) {
    const rest = new Map((before.get(vendor.serial) ?? []).map((row) => [row.serial, row]));
    for (const listing of vendor.listings.values()) {
      const row = rest.get(listing.serial);
      rest.delete(listing.serial);
      if (row && isSame(row, listing)) continue;
      (row ? altered : added).push({ vendor, listing });
      if (row) count(borne, row.labelKey, -1);
      count(borne, listing.label.key, 1);
    }
    for (const row of rest.values()) count(borne, row.labelKey, -1);
    gone.push(...rest.values());
  }
  const knownLabels = new Map(stored.map(({ labelKey, labelId }) => [labelKey, labelId]));
  const labels = [...added, ...altered].map(({ listing }) => listing.label);
  const others = labels.filter(({ key }) => !knownLabels.has(key));
  const otherLabels = new Map(others.map((label) => [label.key, label]));
  return { added, altered, gone, borne, knownLabels, otherLabels };
}

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
