import { defineSimulatedEvent } from "../events/scene.ts";
import type { SimulationContext } from "../events/scene.ts";
import type { RandomSource } from "../random.ts";
import type { House } from "../world/houses.ts";
import { isStaffAccount } from "../world/people.ts";
import type { Character } from "../world/people.ts";
import { createVendor, priceOf, stockVendor, vendorLocation, vendorRow } from "../world/vendors.ts";
import type { Listing, Vendor } from "../world/vendors.ts";
import type { ShardWorld } from "../world/world.ts";
import { ordinaryCharacter } from "../world/world.ts";

/** The maximum number of items that a shop's container can hold. */
const shopCapacity = 125;

const sale = defineSimulatedEvent(12, (scene) => {
  const { world, random } = scene;
  const vendor = world.vendors.pickWhere(random, isOpen);
  const buyer = world.online.pick(random);
  const listing = vendor && random.pick(vendor.items);
  if (!vendor || !buyer || !listing || listing.child || listing.price < 0) return;
  sell(scene, vendor, listing, buyer);
});

const restock = defineSimulatedEvent(8, (scene) => {
  const { world, random } = scene;
  const vendor = world.vendors.pickWhere(random, (one) => one.items.length < shopCapacity);
  if (!vendor) return;
  stockVendor(vendor, world.serials, random, random.int(1, 2));
  tellVendor(scene, vendor);
});

const reprice = defineSimulatedEvent(4, (scene) => {
  const vendor = scene.world.vendors.pickWhere(scene.random, (one) => one.items.length > 0);
  const listing = vendor && scene.random.pick(vendor.items);
  if (!vendor || !listing || listing.child) return;
  const price = priceOf(scene.random);
  for (const one of withContent(vendor, listing)) one.price = price;
  tellVendor(scene, vendor);
});

/** The shard sends an unchanged vendor again. */
const echo = defineSimulatedEvent(3, (scene) => {
  const vendor = scene.world.vendors.pick(scene.random);
  if (vendor) tellVendor(scene, vendor);
});

const hide = defineSimulatedEvent(1, (scene) => {
  const vendor = scene.world.vendors.pick(scene.random);
  if (!vendor) return;
  vendor.hidden = !vendor.hidden;
  tellVendor(scene, vendor);
});

const dismissal = defineSimulatedEvent(2, (scene) => {
  const { world, random } = scene;
  const leaving = world.vendors.size > world.sizes.vendors - 2 && world.vendors.pick(random);
  if (leaving) dismiss(scene, leaving, random.pick(["dismissed", "expired", "destroyed"]));
});

/** Places vendors that are missing, so that the size of the market stays the same. */
const placing = defineSimulatedEvent(4, (scene) => {
  const { world, random } = scene;
  if (world.vendors.size >= world.sizes.vendors) return;
  const vendor = newVendor(world, random);
  world.vendors.set(vendor.serial, vendor);
  tellVendor(scene, vendor);
});

export const marketHappenings = { sale, restock, reprice, echo, hide, dismissal, placing };

const isOpen = (vendor: Vendor): boolean =>
  !vendor.hidden && vendor.place.map !== "Internal" && vendor.items.length > 0;

/** Sells a listing. A commission vendor keeps a share of the price. */
function sell(scene: SimulationContext, vendor: Vendor, listing: Listing, buyer: Character): void {
  const gone = withContent(vendor, listing);
  vendor.items.splice(vendor.items.indexOf(listing), gone.length);
  const commission = vendor.commission ? Math.floor(listing.price * 0.0525) : null;
  vendor.gold += listing.price - (commission ?? 0);
  const { serial, itemType, itemId, hue, amount, name, cliloc } = listing;
  scene.emit("vendor.sale", {
    vendor: vendor.serial,
    shopName: vendor.shopName,
    ownerSerial: vendor.owner?.serial ?? null,
    ownerAcct: vendor.owner?.account.name ?? null,
    buyer: { serial: buyer.serial, name: buyer.name },
    item: { serial, itemType, itemId, hue, amount, name, cliloc },
    price: listing.price,
    commission,
    location: vendorLocation(vendor),
  });
  tellVendor(scene, vendor);
}

const tellVendor = (scene: SimulationContext, vendor: Vendor): void =>
  scene.emit("vendor.upsert", vendorRow(vendor));

function dismiss(scene: SimulationContext, vendor: Vendor, reason: string): void {
  scene.world.vendors.delete(vendor.serial);
  scene.emit("vendor.removed", { serial: vendor.serial, reason });
}

/** Removes the vendors of a house that is removed. */
export function dismissAllOf(scene: SimulationContext, house: House): void {
  for (const vendor of scene.world.vendors.values()) {
    if (vendor.house === house) dismiss(scene, vendor, "house");
  }
}

/** Returns a listing and, if the listing is a container, the content that follows it in the list. */
function withContent(vendor: Vendor, listing: Listing): Listing[] {
  const from = vendor.items.indexOf(listing);
  let to = from + 1;
  while (vendor.items[to]?.child === true) to++;
  return vendor.items.slice(from, to);
}

function newVendor(world: ShardWorld, random: RandomSource): Vendor {
  const house = random.chance(0.6)
    ? (world.houses.pickWhere(random, (one) => one.owner !== null) ?? null)
    : null;
  const owner = house?.owner ?? ordinaryCharacter(world, random) ?? null;
  const index = world.vendors.size + 10;
  const vendor = createVendor({ random, serials: world.serials, owner, house, index });
  const { vendors, listings } = world.sizes;
  stockVendor(
    vendor,
    world.serials,
    random,
    Math.max(1, Math.floor(listings / Math.max(1, vendors))),
  );
  return vendor;
}

export const vendorsGold = (world: ShardWorld): number =>
  world.vendors
    .values()
    .filter((vendor) => vendor.owner === null || !isStaffAccount(vendor.owner.account))
    .reduce((sum, vendor) => sum + vendor.gold, 0);
