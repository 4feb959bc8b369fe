import type { Sql } from "../../db/sql.ts";
import type { VendorState } from "./vendor-state.ts";
import type { References } from "./write-listings.ts";

/** Vendors that were heard of again with nothing new: fresher than before, otherwise the same. */
export async function refreshVendors(
  vendors: readonly VendorState[],
  at: string,
  sql: Sql,
): Promise<void> {
  if (vendors.length === 0) return;
  await sql.query({
    name: "market refresh",
    text: "update vendors set updated_at = $2::timestamptz where serial = any($1::integer[])",
    values: [vendors.map(({ serial }) => serial), at],
  });
}

/** How many vendors and listings the market has more, or fewer, than before. */
export interface Growth {
  readonly vendors: number;
  readonly items: number;
}

/** Writes the vendors, and what is counted of the market with them. */
export async function writeVendors(
  vendors: readonly VendorState[],
  by: Growth,
  { placeIds, at }: References,
  sql: Sql,
): Promise<void> {
  const rows = vendors.map(({ listings, spot, ...vendor }) => ({
    ...vendor,
    ...spot,
    place: placeIds.get(vendor.serial),
    count: listings.size,
  }));
  await sql.query({
    name: "market write vendors",
    text: `
      with counted as (
        update market_meta set version = version + 1, vendors = vendors + $3, items = items + $4
      )
      insert into vendors (serial, fingerprint, listed, shop_name, owner_serial, owner_name,
        place_id, map, region, x, y, z, house, count, total, updated_at)
      select given.*, $2::timestamptz
      from json_to_recordset($1) as given (serial integer, fingerprint uuid, listed boolean,
        "shopName" text, "ownerSerial" integer, "ownerName" text, place integer, map text,
        region text, x integer, y integer, z integer, house text, count integer, total integer)
      on conflict (serial) do update set fingerprint = excluded.fingerprint,
        listed = excluded.listed, shop_name = excluded.shop_name,
        owner_serial = excluded.owner_serial, owner_name = excluded.owner_name,
        place_id = excluded.place_id, map = excluded.map, region = excluded.region,
        x = excluded.x, y = excluded.y, z = excluded.z, house = excluded.house,
        count = excluded.count, total = excluded.total, updated_at = excluded.updated_at`,
    values: [JSON.stringify(rows), at, by.vendors, by.items],
  });
}

export async function deleteVendors(
  vendors: readonly { readonly serial: number }[],
  sql: Sql,
): Promise<void> {
  await sql.query("delete from vendors where serial = any($1::integer[])", [
    vendors.map(({ serial }) => serial),
  ]);
}

/** Moves what is counted of the market, and its version with it. */
export async function countMarket(by: Growth, sql: Sql): Promise<void> {
  await sql.query(
    "update market_meta set version = version + 1, vendors = vendors + $1, items = items + $2",
    [by.vendors, by.items],
  );
}
