import type { InferAttributes } from "sequelize";

import type { ListingLabel } from "../../../models/market/listing-label.ts";
import type { Listing } from "../../../models/market/listing.ts";
import type { Vendor } from "../../../models/market/vendor.ts";
import { serialText } from "../../platform/bridge/serial.ts";
import type { MaySeeField } from "../values/view.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     MarketLocation:
 *       type: object
 *       nullable: true
 *       description: >-
 *         Location of the vendor. Null if the shard does not report it. Absent for callers below
 *         the audience that the field rule `location` sets.
 *       additionalProperties: false
 *       required: [map, x, y, z, region, house]
 *       properties:
 *         map: { $ref: '#/components/schemas/FacetName' }
 *         x: { $ref: '#/components/schemas/Coordinate' }
 *         y: { $ref: '#/components/schemas/Coordinate' }
 *         z: { $ref: '#/components/schemas/Coordinate' }
 *         region: { $ref: '#/components/schemas/RegionName' }
 *         house:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Text on the sign of the house in which the vendor is. Null if the vendor is not in a
 *             house.
 */
export interface MarketLocation {
  readonly map: string | null;
  readonly x: number | null;
  readonly y: number | null;
  readonly z: number | null;
  readonly region: string | null;
  readonly house: string | null;
}

/**
 * Where the listing is sold; fields gated above the caller are left out.
 *
 * @openapi
 * components:
 *   schemas:
 *     ListingVendor:
 *       type: object
 *       additionalProperties: false
 *       required: [serial, shopName, updatedAt]
 *       properties:
 *         serial: { type: string, example: '0x0000A001' }
 *         shopName: { type: string, nullable: true }
 *         ownerSerial:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Serial of the vendor's owner. Absent for callers below the audience of the field rule
 *             `ownerSerial`.
 *         ownerName:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Name of the vendor's owner. Absent for callers below the audience of the field rule
 *             `ownerName`.
 *         location: { $ref: '#/components/schemas/MarketLocation' }
 *         updatedAt:
 *           type: string
 *           format: date-time
 *           description: >-
 *             When the service last received the data of the vendor from the shard, even if the
 *             data was unchanged.
 */
export interface ListingVendor {
  readonly serial: string;
  readonly shopName: string | null;
  readonly ownerSerial?: string | null;
  readonly ownerName?: string | null;
  readonly location?: MarketLocation | null;
  readonly updatedAt: Date;
}

/**
 * @openapi
 * components:
 *   schemas:
 *     MarketListing:
 *       type: object
 *       additionalProperties: false
 *       required: [serial, itemId, hue, amount, price, name, cliloc, displayName, child, vendor]
 *       properties:
 *         serial: { type: string, example: '0x40001A2B' }
 *         itemId: { type: integer, description: Id of the item's graphic in the game client. }
 *         hue:
 *           type: integer
 *           description: Color number (hue) of the item in the game. 0 is the item's default color.
 *         amount: { type: integer, description: Number of items in the stack that is for sale. }
 *         price: { type: integer, description: Price of the listing in coins. }
 *         name:
 *           type: string
 *           nullable: true
 *           description: Name that a player gave the item. Null if the item has none.
 *         cliloc:
 *           type: integer
 *           nullable: true
 *           description: >-
 *             Number of the client text (cliloc) that is the item's name. Null if the shard does
 *             not report it.
 *         displayName:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Displayed name: `name` or, if `name` is null, the client text with the number
 *             `cliloc`. Null if this client text is not loaded.
 *         child:
 *           type: boolean
 *           description: >-
 *             Whether the item is in a container that is for sale as a whole. `price` is then the
 *             price of the container.
 *         vendor: { $ref: '#/components/schemas/ListingVendor' }
 */
export interface MarketListing {
  readonly serial: string;
  readonly itemId: number;
  readonly hue: number;
  readonly amount: number;
  readonly price: number;
  readonly name: string | null;
  readonly cliloc: number | null;
  readonly displayName: string | null;
  readonly child: boolean;
  readonly vendor: ListingVendor;
}

type VendorAttributes = InferAttributes<Vendor>;
type Located = "placeId" | "map" | "region" | "x" | "y" | "z" | "house";

/** What any read of the market selects of a vendor. */
export interface VendorRow extends Pick<
  VendorAttributes,
  "shopName" | "ownerSerial" | "ownerName" | Located
> {
  readonly vendorSerial: VendorAttributes["serial"];
  readonly vendorUpdatedAt: VendorAttributes["updatedAt"];
}

/** What it selects of a listing. */
export interface ListingRow
  extends
    VendorRow,
    Pick<InferAttributes<Listing>, "serial" | "itemId" | "hue" | "amount" | "price" | "child">,
    Pick<InferAttributes<ListingLabel>, "name" | "cliloc" | "displayName"> {}

export const viewVendor = (row: VendorRow, maySee: MaySeeField): ListingVendor => ({
  serial: serialText(row.vendorSerial),
  shopName: row.shopName,
  ...(maySee("ownerSerial") && {
    ownerSerial: row.ownerSerial === null ? null : serialText(row.ownerSerial),
  }),
  ...(maySee("ownerName") && { ownerName: row.ownerName }),
  ...(maySee("location") && { location: locationOf(row) }),
  updatedAt: row.vendorUpdatedAt,
});

export const viewListing = (row: ListingRow, maySee: MaySeeField): MarketListing => ({
  serial: serialText(row.serial),
  itemId: row.itemId,
  hue: row.hue,
  amount: row.amount,
  price: row.price,
  name: row.name,
  cliloc: row.cliloc,
  displayName: row.displayName,
  child: row.child,
  vendor: viewVendor(row, maySee),
});

function locationOf(row: VendorRow): MarketLocation | null {
  if (row.placeId === null) return null;
  const { map, x, y, z, region, house } = row;
  return { map, x, y, z, region, house };
}
