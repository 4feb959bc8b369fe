import type { RandomSource } from "../random.ts";
import { type House, signOf } from "./houses.ts";
import { bag, itemHue, itemKinds, nameClilocOf, powerScroll } from "./items.ts";
import type { ItemKind } from "./items.ts";
import { shopName } from "./names.ts";
import type { Character } from "./people.ts";
import { pickNearbyPlace, nowhere, towns } from "./places.ts";
import type { Place } from "./places.ts";
import type { Serials } from "./serials.ts";

export interface Listing {
  readonly serial: string;
  readonly itemType: string;
  readonly itemId: number;
  readonly hue: number;
  readonly amount: number;
  price: number;
  readonly name: string | null;
  readonly cliloc: number | null;
  readonly args: string | null;
  /** True if the item lies in a priced container and is sold with it. */
  readonly child: boolean;
}

export interface Vendor {
  readonly serial: string;
  readonly shopName: string | null;
  readonly owner: Character | null;
  hidden: boolean;
  readonly place: Place;
  readonly house: House | null;
  readonly commission: boolean;
  gold: number;
  /** The number of items that the shard does not send. */
  readonly unpublished: number;
  readonly items: Listing[];
}

/** The highest price that the game allows. */
export const highestPrice = 175_000_000;

export interface VendorOptions {
  readonly random: RandomSource;
  readonly serials: Serials;
  readonly owner: Character | null;
  readonly house: House | null;
  readonly index: number;
}

/**
 * Creates a vendor. The first vendors of a world are awkward: hidden, packed up, without an owner, or with a
 * truncated list.
 */
export function createVendor(options: VendorOptions): Vendor {
  const { random, serials, index, house } = options;
  return {
    serial: serials.mobile(),
    shopName: shopName(index, random),
    owner: index === 2 ? null : options.owner,
    hidden: index === 1 || random.chance(0.03),
    place: placeOf(index, house, random),
    house: index === 0 ? null : house,
    commission: random.chance(0.15),
    gold: random.int(0, 1_000_000),
    unpublished: index === 3 ? 250 : 0,
    items: [],
  };
}

function placeOf(index: number, house: House | null, random: RandomSource): Place {
  if (index === 0 || random.chance(0.01)) return nowhere;
  return house ? house.place : pickNearbyPlace(random.pick(towns), random);
}

const awkwardListings: readonly Partial<Listing>[] = [
  { price: 0 },
  { price: -1 },
  { price: highestPrice },
  { price: 1, amount: 60_000 },
  { name: "O'Neil's <Pride>" },
  { itemType: powerScroll.kind.itemType, cliloc: powerScroll.cliloc, args: powerScroll.args },
  { name: null, cliloc: null },
];

/** Gives a vendor goods. One good in twenty is a bag that is sold with its content. */
export function stockVendor(
  vendor: Vendor,
  serials: Serials,
  random: RandomSource,
  lots: number,
): void {
  for (let lot = 0; lot < lots; lot++) {
    const inBag = random.chance(0.05) ? Math.min(random.int(1, 4), lots - lot - 1) : 0;
    const kind = inBag > 0 ? bag : random.pick(itemKinds);
    const listing = createListing(kind, serials, random);
    vendor.items.push(listing);
    for (let piece = 0; piece < inBag; piece++) {
      const content = createListing(random.pick(itemKinds), serials, random);
      vendor.items.push({ ...content, price: listing.price, child: true });
    }
    lot += inBag;
  }
}

/** Gives the fifth vendor of a world items that break simple code. */
export function stockAwkwardItems(vendor: Vendor, serials: Serials, random: RandomSource): void {
  for (const oddity of awkwardListings) {
    vendor.items.push({ ...createListing(random.pick(itemKinds), serials, random), ...oddity });
  }
}

function createListing(kind: ItemKind, serials: Serials, random: RandomSource): Listing {
  return {
    serial: serials.item(),
    itemType: kind.itemType,
    itemId: kind.itemId,
    hue: itemHue(random),
    amount: kind.stacks ? stackOf(random) : 1,
    price: priceOf(random),
    name: random.chance(0.08) ? random.pick(["Widowmaker", "a gift", "50% off!", "Ægis"]) : null,
    cliloc: nameClilocOf(kind),
    args: null,
    child: false,
  };
}

const stackOf = (random: RandomSource): number =>
  random.chance(0.02) ? 60_000 : Math.min(60_000, 1 + random.logNormal(40, 1.8));

/**
 * Draws a price. Half of the prices are below 5,000, one in a hundred is above ten million, and a
 * few mean "not for sale".
 */
export function priceOf(random: RandomSource): number {
  if (random.chance(0.01)) return random.pick([0, -1]);
  return Math.min(highestPrice, Math.max(1, random.logNormal(5_000, 3.27)));
}

export const vendorLocation = ({ place, house }: Vendor): Record<string, unknown> => ({
  ...place,
  house: house && signOf(house),
});

const publicListing = (listing: Listing): Record<string, unknown> => ({
  serial: listing.serial,
  itemId: listing.itemId,
  hue: listing.hue,
  amount: listing.amount,
  price: listing.price,
  name: listing.name,
  cliloc: listing.cliloc,
  args: listing.args,
  child: listing.child,
});

/** Returns a vendor with all its goods, as in events and snapshots. */
export const vendorRow = (vendor: Vendor): Record<string, unknown> => ({
  vendor: {
    serial: vendor.serial,
    shopName: vendor.shopName,
    ownerSerial: vendor.owner?.serial ?? null,
    ownerName: vendor.owner?.name ?? null,
    ownerAcct: vendor.owner?.account.name ?? null,
    hidden: vendor.hidden,
    location: vendorLocation(vendor),
  },
  total: vendor.items.length + vendor.unpublished,
  truncated: vendor.unpublished > 0,
  items: vendor.items.map(publicListing),
});

/** Returns a vendor as its owner sees it. */
export const ownVendorRow = (vendor: Vendor): Record<string, unknown> => ({
  serial: vendor.serial,
  shopName: vendor.shopName,
  location: vendorLocation(vendor),
  gold: vendor.gold,
  chargePerDay: vendor.commission ? 0 : chargePerDay(vendor),
  items: vendor.items.length,
});

/**
 * Returns the daily fee of a vendor: 60 gold, plus 3 for each 500 gold of the goods' total price.
 */
function chargePerDay(vendor: Vendor): number {
  const priced = vendor.items.filter((item) => !item.child && item.price > 0);
  const worth = priced.reduce((sum, item) => sum + item.price, 0);
  return 60 + 3 * Math.floor(worth / 500);
}
