import {
  tabSeparatedText,
  count,
  verbatimText,
  field,
  flag,
  integer,
  listOf,
  nullish,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { serialField } from "../../platform/bridge/serial.ts";
import {
  birchCharacter,
  character,
  schemaWithLocation,
  locationFields,
  lunaLocation,
  mapleCharacter,
} from "./fields.ts";
import { defineStaffKind } from "./kind.ts";
import { defineSnapshotKinds } from "./snapshot.ts";

const item = {
  serial: field(serialField(), "Serial of the item."),
  itemId: field(count(), "Id of the item's graphic in the game client."),
  hue: field(nullish(count()), "Color number (hue) of the item."),
  amount: field(count(), "Number of items in the stack."),
  name: field(
    nullish(text()),
    "Name that was given to this item. Null if the item has no name of its own.",
  ),
  cliloc: field(nullish(count()), "Number of the client text (cliloc) that names the item."),
};

const listing = objectSchema({
  ...item,
  price: field(
    integer().min(-1),
    "Price in gold. -1 means not for sale, and 0 means free; the market lists neither.",
  ),
  args: field(
    nullish(tabSeparatedText(2_000)),
    "Values for the placeholders of the client text, separated by tabs. A value such as " +
      "`#1044061` stands for the client text with this number.",
  ),
  child: field(
    nullish(flag()),
    "True if the item lies in a container that is for sale; `price` is then the price of the " +
      "container.",
  ),
});

const shop = {
  shopName: field(nullish(text()), "Name of the shop."),
  ownerSerial: field(nullish(serialField()), "Serial of the owner's character."),
  ownerAcct: field(nullish(verbatimText()), "Game account of the owner."),
};

const vendor = objectSchema({
  serial: field(serialField(), "Serial of the vendor."),
  ...shop,
  ownerName: field(nullish(text()), "Name of the owner's character."),
  hidden: field(nullish(flag()), "Whether the vendor is hidden: the market does not list it."),
  location: field(
    nullish(
      objectSchema({
        ...locationFields,
        house: field(nullish(text()), "Text on the sign of the house in which the vendor stands."),
      }),
    ),
    "Place of the vendor. The market does not list a vendor on the facet `Internal`.",
  ),
});

const vendorUpsert = objectSchema({
  vendor: field(vendor, "The vendor."),
  total: field(
    nullish(count()),
    "Number of the vendor's items, including those that `items` does not contain.",
  ),
  truncated: field(nullish(flag()), "Whether `items` contains only some of the vendor's items."),
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
    ownerSerial: mapleCharacter.serial,
    ownerName: mapleCharacter.name,
    ownerAcct: "maple",
    hidden: false,
    location: { ...lunaLocation, house: "The Iron Hall" },
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
  "vendor.upsert": defineStaffKind(vendorUpsert, {
    about:
      "Reports what a player vendor offers now. Send it when a vendor is placed or its items " +
      "change.",
    example: ironAndOak,
    feeds: { state: "market", as: "upsert" },
  }),
  "vendor.removed": defineStaffKind(
    objectSchema({
      serial: field(serialField(), "Serial of the vendor."),
      reason: field(
        nullish(text()),
        "Why the vendor was removed: `dismissed`, `expired`, `house` or `destroyed`.",
      ),
    }),
    {
      about: "A player vendor no longer exists.",
      example: { serial: ironAndOak.vendor.serial, reason: "dismissed" },
      feeds: { state: "market", as: "remove" },
    },
  ),
  "vendor.sale": defineStaffKind(
    schemaWithLocation({
      vendor: field(serialField(), "Serial of the vendor."),
      ...shop,
      buyer: field(nullish(character()), "Character who bought the item."),
      item: field(
        objectSchema({ ...item, itemType: field(text(), "Type of the item, such as `Runebook`.") }),
        "The item that was sold.",
      ),
      price: field(count(), "Price in gold."),
      commission: field(
        nullish(count()),
        "Part of the price that the vendor keeps as a commission, in gold.",
      ),
    }),
    {
      about: "A player vendor sold an item.",
      example: {
        vendor: ironAndOak.vendor.serial,
        shopName: "Iron & Oak",
        ownerSerial: mapleCharacter.serial,
        ownerAcct: "maple",
        buyer: birchCharacter,
        item: { ...runebook, itemType: "Runebook", name: null, cliloc: 1_028_901 },
        price: 25_000,
        commission: 1_312,
        location: lunaLocation,
      },
      push: { personal: { stream: "vendor.sale", owner: "ownerAcct" } },
    },
  ),
  ...defineSnapshotKinds("market", vendorUpsert, { of: "all player vendors", row: ironAndOak }),
};
