import { parseSerialNumber } from "../../platform/bridge/serial.ts";
import type { ShardPayload } from "../kinds/kinds.ts";
import { accountKey } from "../owners/link-mirror.ts";
import { digestOf } from "./labels.ts";
import { type Label, labelOf } from "./labels.ts";
import type { VendorRowInput } from "./vendors.sql.ts";

export type VendorUpsert = ShardPayload<"vendor.upsert">;
type Item = VendorUpsert["items"][number];
/** The columns of a vendor's location. A column that is absent is stored as null. */
type Location = NonNullable<VendorUpsert["vendor"]["location"]>;

export interface ListingState {
  readonly serial: number;
  readonly itemId: number;
  readonly hue: number;
  readonly amount: number;
  readonly price: number;
  readonly child: boolean;
  readonly label: Label;
  /**
   * Listings with equal values have equal digests. Listings with the same label have digests with the same first
   * half.
   */
  readonly digest: string;
}

/** The state of a vendor after an upsert. */
export interface VendorState {
  /**
   * The columns to store, without the id of the place. Two upserts of a vendor with equal values have the same
   * `fingerprint`, in any order of items. If `listed` is false, only the serial and the fingerprint are stored.
   */
  readonly row: Location & Omit<VendorRowInput, keyof Location | "placeId">;
  /** False if the shard sends no location of the vendor. */
  readonly hasPlace: boolean;
  /** Key of the game account that owns the vendor. */
  readonly ownerKey: string | null;
  /** The listings for sale. */
  readonly listings: readonly ListingState[];
}

/** The facet of vendors that are packed up. */
const packedUpFacet = "Internal";

/** Returns the state to store. Vendors that are hidden or on `Internal` are not listed. */
export function toVendorState(upsert: VendorUpsert): VendorState {
  const { vendor, items, total } = upsert;
  const serial = parseSerialNumber(vendor.serial);
  const fingerprint = fingerprintOf(upsert);
  if (vendor.hidden || vendor.location?.map === packedUpFacet) {
    const row = { ...emptyRow, serial, fingerprint };
    return { row, hasPlace: false, ownerKey: null, listings: [] };
  }
  // If two items have one serial, the last item is used.
  const bySerial = new Map(items.map((item) => [parseSerialNumber(item.serial), item]));
  const listings = [...bySerial.values()].filter(({ price }) => price > 0).map(toListing);
  const row = {
    ...emptyRow,
    // The write statement ignores fields of newer plugins in the location, because they have no column.
    ...vendor.location,
    serial,
    fingerprint,
    listed: true,
    shopName: vendor.shopName ?? null,
    ownerSerial: vendor.ownerSerial ? parseSerialNumber(vendor.ownerSerial) : null,
    ownerName: vendor.ownerName ?? null,
    count: listings.length,
    total: Math.max(total ?? 0, items.length),
  };
  const ownerKey = vendor.ownerAcct ? accountKey(vendor.ownerAcct) : null;
  return { row, hasPlace: Boolean(vendor.location), ownerKey, listings };
}

const emptyRow = {
  listed: false,
  shopName: null,
  ownerSerial: null,
  ownerName: null,
  count: 0,
  total: 0,
};

function toListing(item: Item): ListingState {
  const { itemId, amount, price } = item;
  const [hue, child, label] = [item.hue ?? 0, item.child ?? false, labelOf(item)];
  const digest = digestOf([itemId, hue, amount, price, child], label.key);
  return {
    serial: parseSerialNumber(item.serial),
    itemId,
    hue,
    amount,
    price,
    child,
    label,
    digest,
  };
}

/** Hashes all fields of an upsert, including the account and the items that are not for sale. */
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
  parseSerialNumber(one.serial) - parseSerialNumber(other.serial);
