import {
  argsText,
  count,
  exactText,
  field,
  flag,
  integer,
  listOf,
  maybe,
  shape,
  text,
} from "../../bridge/payload-fields.ts";
import { serial } from "../values/serial.ts";
import { birch, luna, maple } from "./example-world.ts";
import { character, located, locationFields } from "./fields.ts";
import { staffKind } from "./kind.ts";
import { snapshotOf } from "./snapshot.ts";

const item = {
  serial: field(serial(), "Serial of the item."),
  itemId: field(count(), "Number of the item's graphic in the game client."),
  hue: field(maybe(count()), "Number of the item's color."),
  amount: field(count(), "How many are on the stack."),
  name: field(maybe(text()), "Name of the item, if it has one of its own."),
  cliloc: field(maybe(count()), "Number of the client's text that names the item."),
};

const listing = shape({
  ...item,
  /** -1 is not for sale and 0 is free; neither is listed. */
  price: field(integer().min(-1), "Price in gold. -1: not for sale. 0: free."),
  /** What the cliloc's placeholders hold, separated by tabs. */
  args: field(
    maybe(argsText(2_000)),
    "Values for the placeholders of the text, separated by tabs. `#1044061` is another text.",
  ),
  child: field(
    maybe(flag()),
    "Whether the item lies in a container that is for sale, whose price it has.",
  ),
});

const shop = {
  shopName: field(maybe(text()), "Name of the shop."),
  ownerSerial: field(maybe(serial()), "Serial of the owner's character."),
  ownerAcct: field(maybe(exactText()), "Game account of the owner."),
};

const vendor = shape({
  serial: field(serial(), "Serial of the vendor."),
  ...shop,
  ownerName: field(maybe(text()), "Name of the owner's character."),
  hidden: field(maybe(flag()), "Whether the shop does not want to be found."),
  location: field(
    maybe(shape({ ...locationFields, house: field(maybe(text()), "Text of the house's sign.") })),
    "Where the vendor stands.",
  ),
});

const vendorUpsert = shape({
  vendor: field(vendor, "The vendor."),
  total: field(maybe(count()), "Number of items, with those that are not sent."),
  truncated: field(maybe(flag()), "Whether items were left out."),
  items: field(listOf(listing), "Items of the vendor, all of them if possible."),
});

const runebook = { serial: "0x400A91C2", itemId: 8901, hue: 1121, amount: 1 };

const ironAndOak = {
  vendor: {
    serial: "0x00012F3A",
    shopName: "Iron & Oak",
    ownerSerial: maple.serial,
    ownerName: maple.name,
    ownerAcct: "maple",
    hidden: false,
    location: { ...luna, house: "The Iron Hall" },
  },
  total: 3,
  truncated: false,
  items: [
    { ...runebook, price: 25_000, name: null, cliloc: 1_028_901, args: null, child: false },
    {
      serial: "0x400A91C3",
      itemId: 3962,
      hue: 0,
      amount: 60_000,
      price: 175_000_000,
      name: "Black Pearl",
      cliloc: 1_023_962,
      args: null,
      child: true,
    },
    {
      serial: "0x400A91C4",
      itemId: 5360,
      hue: 0,
      amount: 1,
      price: 0,
      name: null,
      cliloc: 1_049_640,
      args: "#1044061",
      child: false,
    },
  ],
};

/** Player vendors. The market is read from its tables: none of its kinds goes public. */
export const marketKinds = {
  "vendor.upsert": staffKind(vendorUpsert, {
    about: "What a player vendor offers now. Send it when a vendor is placed or its goods change.",
    example: ironAndOak,
    feeds: { state: "market", as: "upsert" },
  }),
  "vendor.removed": staffKind(
    shape({
      serial: field(serial(), "Serial of the vendor."),
      reason: field(maybe(text()), "Why: `dismissed`, `expired`, `house` or `destroyed`."),
    }),
    {
      about: "A player vendor no longer exists.",
      example: { serial: ironAndOak.vendor.serial, reason: "dismissed" },
      feeds: { state: "market", as: "remove" },
    },
  ),
  "vendor.sale": staffKind(
    located({
      vendor: field(serial(), "Serial of the vendor."),
      ...shop,
      buyer: field(maybe(character()), "Character who bought the item."),
      item: field(
        shape({ ...item, itemType: field(text(), "Type of the item, such as `Runebook`.") }),
        "The item that was sold.",
      ),
      price: field(count(), "Price in gold."),
      commission: field(maybe(count()), "Part of the price that the vendor keeps, in gold."),
    }),
    {
      about: "A player vendor sold an item.",
      example: {
        vendor: ironAndOak.vendor.serial,
        shopName: "Iron & Oak",
        ownerSerial: maple.serial,
        ownerAcct: "maple",
        buyer: birch,
        item: { ...runebook, itemType: "Runebook", name: null, cliloc: 1_028_901 },
        price: 25_000,
        commission: 1_312,
        location: luna,
      },
      push: { personal: { stream: "vendor.sale", owner: "ownerAcct" } },
    },
  ),
  ...snapshotOf("market", vendorUpsert, { of: "all player vendors", row: ironAndOak }),
};
