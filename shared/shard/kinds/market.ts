import {
  argsText,
  count,
  exactText,
  flag,
  integer,
  listOf,
  maybe,
  shape,
  text,
} from "../../bridge/payload-fields.ts";
import { serial } from "../values/serial.ts";
import { character, located, locationFields } from "./fields.ts";
import { staffKind } from "./kind.ts";
import { snapshotOf } from "./snapshot.ts";

const item = {
  serial: serial(),
  itemId: count(),
  hue: maybe(count()),
  amount: count(),
  name: maybe(text()),
  cliloc: maybe(count()),
};

const listing = shape({
  ...item,
  /** -1 is not for sale and 0 is free; neither is listed. */
  price: integer().min(-1),
  /** What the cliloc's placeholders hold, separated by tabs. */
  args: maybe(argsText(2_000)),
  child: maybe(flag()),
});

const vendor = shape({
  serial: serial(),
  shopName: maybe(text()),
  ownerSerial: maybe(serial()),
  ownerName: maybe(text()),
  ownerAcct: maybe(exactText()),
  hidden: maybe(flag()),
  location: maybe(shape({ ...locationFields, house: maybe(text()) })),
});

const vendorUpsert = shape({
  vendor,
  total: maybe(count()),
  truncated: maybe(flag()),
  items: listOf(listing),
});

/** Player vendors. The market is read from its tables: none of its kinds goes public. */
export const marketKinds = {
  "vendor.upsert": staffKind(vendorUpsert, { feeds: { state: "market", as: "upsert" } }),
  "vendor.removed": staffKind(shape({ serial: serial(), reason: maybe(text()) }), {
    feeds: { state: "market", as: "remove" },
  }),
  "vendor.sale": staffKind(
    located({
      vendor: serial(),
      shopName: maybe(text()),
      ownerSerial: maybe(serial()),
      ownerAcct: maybe(exactText()),
      buyer: maybe(character()),
      item: shape({ ...item, itemType: text() }),
      price: count(),
      commission: maybe(count()),
    }),
    { push: { personal: { stream: "vendor.sale", owner: "ownerAcct" } } },
  ),
  ...snapshotOf("market", vendorUpsert),
};
