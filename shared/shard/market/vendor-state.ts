import { serialNumber } from "../../platform/bridge/serial.ts";
import type { PayloadOf } from "../kinds/kinds.ts";
import { accountKey } from "../owners/link-mirror.ts";
import { digestOf, joinDigests } from "./digest.ts";
import { type Label, labelOf } from "./labels.ts";
import type { FacetRegion } from "./places.ts";

export type VendorUpsert = PayloadOf<"vendor.upsert">;
type Item = VendorUpsert["items"][number];

export interface ListingState {
  readonly serial: number;
  readonly itemId: number;
  readonly hue: number;
  readonly amount: number;
  readonly price: number;
  readonly child: boolean;
  readonly label: Label;
  /** Listings with equal values have equal digests. Listings of one label have digests with an equal first half. */
  readonly digest: string;
}

/** The position of a vendor; values that the shard does not send are null. */
export interface VendorLocation extends FacetRegion {
  readonly x: number | null;
  readonly y: number | null;
  readonly z: number | null;
  /** Text on the sign of the house; null if the vendor is not in a house. */
  readonly house: string | null;
}

/** The state of a vendor after an upsert. */
export interface VendorState {
  readonly serial: number;
  /** Equal for two upserts of a vendor with equal values, in any order of items. */
  readonly fingerprint: string;
  /** False for hidden vendors and for those on `Internal`. Nothing else is stored of such a vendor. */
  readonly listed: boolean;
  readonly shopName: string | null;
  readonly ownerSerial: number | null;
  readonly ownerName: string | null;
  readonly ownerKey: string | null;
  readonly location: VendorLocation | null;
  /** Number of listings, including those that are not for sale. */
  readonly total: number;
  readonly listings: ReadonlyMap<number, ListingState>;
}

/** The facet of vendors that are packed up. */
const packedUpFacet = "Internal";

export function toVendorState(upsert: VendorUpsert): VendorState {
  const { vendor, items, total } = upsert;
  const fingerprint = fingerprintOf(upsert);
  const serial = serialNumber(vendor.serial);
  if (vendor.hidden || vendor.location?.map === packedUpFacet) {
    return { ...unlistedState, serial, fingerprint };
  }
  return {
    serial,
    fingerprint,
    listed: true,
    shopName: vendor.shopName ?? null,
    ownerSerial: vendor.ownerSerial ? serialNumber(vendor.ownerSerial) : null,
    ownerName: vendor.ownerName ?? null,
    ownerKey: vendor.ownerAcct ? accountKey(vendor.ownerAcct) : null,
    location: vendor.location ? locationOf(vendor.location) : null,
    total: Math.max(total ?? 0, items.length),
    listings: listingsOf(items),
  };
}

const unlistedState = {
  listed: false,
  shopName: null,
  ownerSerial: null,
  ownerName: null,
  ownerKey: null,
  location: null,
  total: 0,
  listings: new Map<number, ListingState>(),
};

const locationOf = (location: NonNullable<VendorUpsert["vendor"]["location"]>): VendorLocation => ({
  map: location.map ?? null,
  region: location.region ?? null,
  x: location.x ?? null,
  y: location.y ?? null,
  z: location.z ?? null,
  house: location.house ?? null,
});

/** Returns the listings for sale by serial. If two items have one serial, the last item is used. */
function listingsOf(items: readonly Item[]): Map<number, ListingState> {
  const listings = new Map<number, ListingState>();
  for (const item of items) {
    const serial = serialNumber(item.serial);
    listings.delete(serial);
    if (item.price <= 0) continue;
    const { itemId, amount, price } = item;
    const [hue, child, label] = [item.hue ?? 0, item.child ?? false, labelOf(item)];
    const digest = joinDigests(label.key, digestOf([itemId, hue, amount, price, child]));
    listings.set(serial, { serial, itemId, hue, amount, price, child, label, digest });
  }
  return listings;
}

/** Covers all fields of the kind, including the account and the items that are not for sale. */
function fingerprintOf({ vendor, items, total, truncated }: VendorUpsert): string {
  const { location } = vendor;
  return digestOf([
    [vendor.serial, vendor.shopName, vendor.ownerSerial, vendor.ownerName, vendor.ownerAcct],
    [vendor.hidden, total, truncated],
    location && [location.map, location.x, location.y, location.z, location.region, location.house],
    items.toSorted(bySerial).map((item) => [
      [item.serial, item.itemId, item.hue, item.amount, item.price],
      [item.name, item.cliloc, item.args, item.child],
    ]),
  ]);
}

const bySerial = (one: Item, other: Item): number =>
  serialNumber(one.serial) - serialNumber(other.serial);
