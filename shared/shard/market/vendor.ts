import type { InferAttributes } from "sequelize";

import type { Vendor } from "../../../models/market/vendor.ts";
import { serialNumber } from "../../platform/bridge/serial.ts";
import type { Context } from "../../platform/context.ts";
import { rows } from "../../platform/db/rows.ts";
import { missing } from "../../platform/errors/errors.ts";
import type { MaySeeField } from "../values/view.ts";
import { selectVendorPage } from "./search-sql.ts";
import {
  type ListingRow,
  type ListingVendor,
  type MarketListing,
  type VendorRow,
  viewListing,
  viewVendor,
} from "./views.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     MarketVendor:
 *       type: object
 *       additionalProperties: false
 *       required: [serial, shopName, updatedAt, count, total, truncated, items]
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
 *         count: { type: integer, description: 'Number of the vendor''s listings, that is, of items that are for sale.' }
 *         total:
 *           type: integer
 *           description: >-
 *             Number of all items that the vendor has. Items that are not for sale count as well.
 *         truncated: { type: boolean, description: Whether `total` is greater than `count`. }
 *         items: { type: array, items: { $ref: '#/components/schemas/MarketListing' } }
 */
export interface MarketVendor extends ListingVendor {
  /** Listings published. */
  readonly count: number;
  /** Listings held, those that are not for sale too. */
  readonly total: number;
  /** Whether more are held than published. */
  readonly truncated: boolean;
  readonly items: readonly MarketListing[];
}

type Counts = Pick<InferAttributes<Vendor>, "count" | "total">;

type VendorPageRow = Counts & (ListingRow | (VendorRow & { readonly serial: null }));

const unknownVendor = () => missing("Unknown vendor");

/** @throws AppError 404 for one that is unknown, dismissed or hidden */
export async function requireVendor(serial: string, { models }: Context): Promise<void> {
  const where = { serial: serialNumber(serial), listed: true };
  if ((await models.Vendor.count({ where })) === 0) throw unknownVendor();
}

/**
 * One vendor with a page of its listings, cheapest first.
 * @throws AppError 404 for one that is unknown, dismissed or hidden
 */
export async function readVendor(
  serial: string,
  paging: { readonly limit: number; readonly offset: number },
  maySee: MaySeeField,
  { sequelize }: Context,
): Promise<MarketVendor> {
  const values = [serialNumber(serial), paging.limit, paging.offset];
  const found = await rows<VendorPageRow>(sequelize, selectVendorPage, values);
  const [vendor] = found;
  if (!vendor) throw unknownVendor();
  const { count, total } = vendor;
  const items = found.filter((row): row is Counts & ListingRow => row.serial !== null);
  return {
    ...viewVendor(vendor, maySee),
    count,
    total,
    truncated: total > count,
    items: items.map((item) => viewListing(item, maySee)),
  };
}
