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
} from "../../platform/bridge/payload-fields.ts";
import { serial } from "../../platform/bridge/serial.ts";
import { birch, character, located, locationFields, luna, maple } from "./fields.ts";
import { staffKind } from "./kind.ts";
import { snapshotOf } from "./snapshot.ts";

const item = {
  serial: field(serial(), "Serial of the item."),
  itemId: field(count(), "Id of the item's graphic in the game client."),
  hue: field(maybe(count()), "Color number (hue) of the item."),
  amount: field(count(), "Number of items in the stack."),
  name: field(maybe(text()), "Name that was given to this item. Null if there is none."),
  cliloc: field(maybe(count()), "Number of the client text (cliloc) that names the item."),
};

const listing = shape({
  ...item,
  price: field(
    integer().min(-1),
    "Price in gold. -1 means not for sale, and 0 means free; the market lists neither.",
  ),
  args: field(
    maybe(argsText(2_000)),
    "Values for the placeholders of the client text, separated by tabs. A value such as " +
      "`#1044061` stands for the client text with this number.",
  ),
  child: field(
    maybe(flag()),
    "True if the item lies in a container that is for sale; `price` is then the price of the " +
      "container.",
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
  hidden: field(maybe(flag()), "Whether the vendor is hidden: the market does not list it."),
  location: field(
    maybe(
      shape({
        ...locationFields,
        house: field(maybe(text()), "Text on the sign of the house in which the vendor stands."),
      }),
    ),
    "Place of the vendor. The market does not list a vendor on the facet `Internal`.",
  ),
});

const vendorUpsert = shape({
  vendor: field(vendor, "The vendor."),
  total: field(
    maybe(count()),
    "Number of the vendor's items, including those that `items` does not contain.",
  ),
  truncated: field(maybe(flag()), "Whether `items` does not contain all items of the vendor."),
  items: field(
    listOf(listing),
    "Items of the vendor: all of them, unless the event would exceed 256 KiB.",
  ),
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

/** Events of player vendors. None is public, because the market API reads its own tables. */
export const marketKinds = {
  "vendor.upsert": staffKind(vendorUpsert, {
    about:
      "Reports what a player vendor offers now. Send it when a vendor is placed or its items " +
      "change.",
    example: ironAndOak,
    feeds: { state: "market", as: "upsert" },
  }),
  "vendor.removed": staffKind(
    shape({
      serial: field(serial(), "Serial of the vendor."),
      reason: field(
        maybe(text()),
        "Why the vendor was removed: `dismissed`, `expired`, `house` or `destroyed`.",
      ),
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
      commission: field(
        maybe(count()),
        "Part of the price that the vendor keeps as a commission, in gold.",
      ),
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
