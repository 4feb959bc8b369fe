import type { InferAttributes } from "sequelize";

import type { Vendor } from "../../../models/market/vendor.ts";
import { parseSerialNumber } from "../../platform/bridge/serial.ts";
import type { Context } from "../../platform/context.ts";
import { rows } from "../../platform/db/rows.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import type { FieldAccessCheck } from "../visibility/view.ts";
import { selectVendorPageSql } from "./search.sql.ts";
import {
  type ListingRow,
  type ListingVendor,
  type MarketListing,
  type VendorRow,
  viewListing,
  viewVendor,
} from "./views.ts";

export interface MarketVendor extends ListingVendor {
  /** Number of published listings. */
  readonly count: number;
  /** Number of listings, including those that are not for sale. */
  readonly total: number;
  /** True if some of the vendor's listings are not published. */
  readonly truncated: boolean;
  readonly items: readonly MarketListing[];
}

type Counts = Pick<InferAttributes<Vendor>, "count" | "total">;

/** A vendor without listings has one row, with null in these columns. */
type WithoutListing = Readonly<Record<Exclude<keyof ListingRow, keyof VendorRow>, null>>;

type VendorPageRow = Counts & (ListingRow | (VendorRow & WithoutListing));

const unknownVendor = () => notFoundError("Unknown vendor");

/** @throws AppError 404 if the vendor is unknown, dismissed or hidden */
export async function requireVendor(serial: string, { models }: Context): Promise<void> {
  const where = { serial: parseSerialNumber(serial), listed: true };
  if ((await models.Vendor.count({ where })) === 0) throw unknownVendor();
}

/** Returns a vendor and a page of its listings, cheapest first. @throws AppError 404 if not listed */
export async function readVendor(
  serial: string,
  paging: { readonly limit: number; readonly offset: number },
  maySee: FieldAccessCheck,
  { sequelize }: Context,
): Promise<MarketVendor> {
  const values = [parseSerialNumber(serial), paging.limit, paging.offset];
  const found = await rows<VendorPageRow>(sequelize, selectVendorPageSql, values);
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
