import * as fc from "fast-check";

import { type MarketQuery, type SortOrder, sortOrders } from "../../shared/shard/market/filters.ts";
import type { VendorUpsert } from "../../shared/shard/market/vendor-state.ts";

type Vendor = VendorUpsert["vendor"];
type Item = VendorUpsert["items"][number];

/** The texts of the game client, by number. */
export const clilocs: ReadonlyMap<number, string> = new Map([
  [1_020_001, "katana"],
  [1_020_002, "Iron Ingot"],
  [1_020_003, "ingots"],
  [1_049_639, "a power scroll of ~1_NAME~"],
  [1_044_061, "Archery"],
  [1_050_039, "~1_NAME~ ~2_NAME~"],
  [1_060_000, "~1_NAME~"],
]);

const serialOf = (number: number): string =>
  `0x${number.toString(16).toUpperCase().padStart(8, "0")}`;

/** Few serials, so that vendors and items occur repeatedly. */
export const anyVendorSerial = fc.integer({ min: 1, max: 5 }).map((n) => serialOf(0x00a0_0000 + n));
const anyItemSerial = fc.integer({ min: 1, max: 12 }).map((n) => serialOf(0x4000_0000 + n));

const anyText = fc
  .string({ unit: "grapheme", maxLength: 6 })
  .map((text) => text.replaceAll("\0", ""));

const anyName = fc.option(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...awkwardNames()) },
    { weight: 1, arbitrary: anyText },
  ),
);

function awkwardNames(): string[] {
  const plain = ["Katana", "katana of Ruin", "lucky hat", "Lucky Hat of Luck", "Ægis", "ΣΟΦΟΣΑ"];
  return [...plain, "50% off!", "a_b", "back\\slash", "O'Neil's <Pride>", "", "  ", "%", "\\%"];
}

const anyPrice = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 9 }) },
  { weight: 1, arbitrary: fc.constantFrom(-1, 0, 175_000_000, 0x7fff_ffff) },
);

const anyLabel = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom<Pick<Item, "name" | "cliloc" | "args">>(
      { cliloc: 1_020_001 },
      { name: "Katana" },
      { cliloc: 1_049_639, args: "#1044061" },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        name: anyName,
        cliloc: fc.option(fc.constantFrom(...clilocs.keys(), 7, 0)),
        args: fc.option(fc.constantFrom("", "#1044061", "57\t#1020003", "Ann\tB", "\t", "#9")),
      },
      { requiredKeys: [] },
    ),
  },
);

/** Few names, so that upserts of an item often differ in its other fields only. */
const anyItem: fc.Arbitrary<Item> = fc
  .record(
    {
      serial: anyItemSerial,
      itemId: fc.constantFrom(1, 2, 3, 0xffff),
      hue: fc.option(fc.constantFrom(0, 33, 1153)),
      amount: fc.constantFrom(1, 2, 60_000),
      price: anyPrice,
      child: fc.option(fc.boolean()),
    },
    { requiredKeys: ["serial", "itemId", "amount", "price"] },
  )
  .chain((item) => anyLabel.map((label) => ({ ...item, ...label })));

const anyMap = fc.option(
  fc.oneof({ weight: 8, arbitrary: fc.constantFrom("Felucca", "Malas") }, fc.constant("Internal")),
);
const anyRegion = fc.option(fc.constantFrom("Luna", "Britain", ""));
const anyPoint = fc.option(fc.integer({ min: -100, max: 7_000 }));

const anyLocation: fc.Arbitrary<NonNullable<Vendor["location"]>> = fc.record(
  { map: anyMap, x: anyPoint, y: anyPoint, z: anyPoint, region: anyRegion, house: anyName },
  { requiredKeys: ["map"] },
);

const anyVendor: fc.Arbitrary<Vendor> = fc.record(
  {
    serial: anyVendorSerial,
    shopName: anyName,
    ownerSerial: fc.option(anyVendorSerial),
    ownerName: anyName,
    ownerAcct: fc.option(fc.constantFrom("ann", "bob")),
    hidden: fc.option(fc.constantFrom(false, false, false, true)),
    location: fc.option(anyLocation),
  },
  { requiredKeys: ["serial"] },
);

export const anyUpsert: fc.Arbitrary<VendorUpsert> = fc.record(
  {
    vendor: anyVendor,
    total: fc.option(fc.integer({ min: 0, max: 20 })),
    truncated: fc.option(fc.boolean()),
    items: fc.array(anyItem, { maxLength: 8 }),
  },
  { requiredKeys: ["vendor", "items"] },
);

const anyTerm = fc.oneof(
  fc.constantFrom("", "a", "A", "k", "KATANA", "of", "lucky hat", "%", "_", "\\", "50%", "a_b"),
  fc.constantFrom("æ", "ΦΟΣ", "σ", "ing", "57 ", "scroll of arch", "zzzz", "'", "<", " "),
  anyText,
);

const price = fc.oneof(fc.integer({ min: 0, max: 10 }), fc.constantFrom(175_000_000, 2 ** 40));

/** Small pages, so that a small market has several. */
export const anyQuery: fc.Arbitrary<MarketQuery> = fc.record(
  {
    q: anyTerm,
    minPrice: price,
    maxPrice: price,
    itemId: fc.constantFrom(1, 2, 3, 4),
    map: fc.constantFrom("Felucca", "Malas", "Internal", "Nowhere"),
    region: fc.constantFrom("Luna", "Britain", "Nowhere"),
    sort: fc.constantFrom(...(Object.keys(sortOrders) as SortOrder[])),
    limit: fc.integer({ min: 1, max: 9 }),
    offset: fc.integer({ min: 0, max: 12 }),
  },
  { requiredKeys: ["sort", "limit", "offset"] },
);
