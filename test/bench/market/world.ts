import { formatSerial } from "../../../shared/platform/bridge/serial.ts";
import type { VendorUpsert } from "../../../shared/shard/market/vendor-state.ts";
import { createRandom, type RandomSource } from "../../simulator/random.ts";

export interface MarketSize {
  readonly vendors: number;
  readonly listingsEach: number;
}

const wordsOf = (text: string): string[] => text.split(", ");

/** Names of goods. The first ones are by far the most common, as in a real market. */
const things = wordsOf(
  "katana, iron ingot, longsword, platemail tunic, robe, bandage, black pearl, " +
    "recall rune, spellbook, cloak, ring, bracelet, necklace, arrow, gold coin, " +
    "leather cap, viking sword, heater shield, bulk order deed, power scroll, lantern, " +
    "candle, potion keg, map, dagger, kryss, war hammer, bow, crossbow, halberd, wand, " +
    "talisman, sash, sandals, boots, floppy hat, wizard hat",
);
const qualities = wordsOf(
  "Exceptional, Golden, Shadow Iron, Valorite, Agapite, Blaze, Frosted, Cursed, Blessed, " +
    "Runic, Ancient, Sturdy, Arcane, Jeweled, Elven, Gargish, Barbed",
);
const virtues = wordsOf(
  "Vanquishing, Power, Force, Might, Ruin, the Fox, the Bear, Nobility, Haste, Slaying, " +
    "Accuracy, Fortune, Defense, Guarding, Hardening, Fortification",
);

const firstCliloc = 1_020_001;

/** The game's texts that name items without a name of their own. */
export const clilocTexts: readonly (readonly [number, string])[] = things.map((text, index) => [
  firstCliloc + index,
  text,
]);

const towns = ["Luna", "Britain", "Zento", "New Haven", "Vesper", "Moonglow", null] as const;
const facets = ["Malas", "Trammel", "Tokuno", "Felucca"] as const;

/** Returns the vendor with this number. Every call returns an equal vendor. */
export function buildBenchVendor(index: number, { listingsEach }: MarketSize): VendorUpsert {
  const random = createRandom(`market ${index}`);
  return {
    vendor: {
      serial: formatSerial(1_000 + index),
      shopName: `${random.pick(qualities)} Goods`,
      ownerSerial: formatSerial(500_000 + (index >> 2)),
      ownerName: `Owner ${index >> 2}`,
      location: {
        map: random.pick(facets),
        x: random.int(0, 5_000),
        y: random.int(0, 4_000),
        z: 0,
        region: random.pick(towns),
        house: null,
      },
    },
    total: listingsEach,
    items: Array.from({ length: listingsEach }, (_, place) =>
      itemAt(index * listingsEach + place, random),
    ),
  };
}

/** Yields vendors one by one, because a million listings do not fit into memory. */
export function* vendorsOf(size: MarketSize): Generator<VendorUpsert> {
  for (let index = 0; index < size.vendors; index++) yield buildBenchVendor(index, size);
}

function itemAt(number: number, random: RandomSource): VendorUpsert["items"][number] {
  const kind = Math.floor(things.length * random.next() ** 2.2);
  const name = ownName(things[kind] ?? "thing", random);
  return {
    serial: formatSerial(0x4000_0001 + number),
    itemId: 3_000 + Math.floor(2_000 * random.next() ** 3),
    hue: random.chance(0.7) ? 0 : random.int(1, 3_000),
    amount: random.chance(0.3) ? random.int(2, 5_000) : 1,
    price: Math.min(175_000_000, Math.max(1, random.logNormal(5_000, 2.2))),
    name,
    cliloc: firstCliloc + kind,
    child: random.chance(0.05),
  };
}

/**
 * Returns the item's own name, or null if it equals the text of its type. About 12 % of the names end in a
 * number, and one name in 10,000 is made for a search with few matches.
 */
function ownName(thing: string, random: RandomSource): string | null {
  if (random.chance(0.0001)) return "lucky hat of luck";
  const made = random.chance(0.45) ? `${random.pick(qualities)} ${thing}` : thing;
  const famed = random.chance(0.4) ? `${made} of ${random.pick(virtues)}` : made;
  const name = random.chance(0.12) ? `${famed} #${random.int(0, 99_999)}` : famed;
  return name === thing ? null : name;
}

/** Typical search terms: common, rare and unknown words. */
export const commonTerms = wordsOf(
  "a, of, katana, ingot, sword, lucky hat, #12345, zzzz, exceptional, vanq, zq, map",
);

/** Returns terms of which few repeat: parts of names, from two letters up to a whole name. */
export function variedTerms(count: number, size: MarketSize, seed: string): string[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    const vendor = buildBenchVendor(random.int(0, size.vendors - 1), size);
    const item = random.pick(vendor.items);
    const name = item.name ?? things[(item.cliloc ?? firstCliloc) - firstCliloc] ?? "";
    const from = random.int(0, Math.max(0, name.length - 2));
    return name.slice(from, from + random.int(2, 14)).trim() || "a";
  });
}
