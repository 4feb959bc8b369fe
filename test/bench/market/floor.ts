import express, { type Express } from "express";
import type { Client, Pool } from "pg";

import { parseSerialNumber } from "../../../shared/platform/bridge/serial.ts";
import type { VendorUpsert } from "../../../shared/shard/market/vendor-state.ts";

/**
 * The baseline of the market: one denormalized table with a covering price index and a trigram index, and a
 * table of names with their counts for totals. It is filled vendor by vendor from the service's listings, so
 * that its indexes grow in the same way.
 */
export const floorTables = `
  create table floor_listings (
    serial integer primary key, vendor_serial integer not null, item_id integer, hue integer,
    amount integer, price integer not null, name text, cliloc integer, display_name text,
    search_name text collate "C", child boolean, updated_at timestamptz, map text, region text
  ) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02);
  create index floor_price on floor_listings (price, serial) include (search_name);
  create index floor_recent on floor_listings (updated_at desc, serial) include (search_name);
  create index floor_vendor on floor_listings (vendor_serial);
  insert into floor_listings
    select l.serial, l.vendor_serial, item_id, hue, amount, price, name, cliloc, display_name,
      search_name, child, l.updated_at, map, region
    from listings l join listing_labels b on b.id = l.label_id
      join vendors v on v.serial = l.vendor_serial
    order by l.vendor_serial, l.serial;
  create index floor_trgm on floor_listings using gin (search_name gin_trgm_ops);
  create table floor_names (search_name text collate "C", n integer);
  insert into floor_names select search_name, count(*) from floor_listings group by 1;
  create index floor_names_trgm on floor_names using gin (search_name gin_trgm_ops);
  create table floor_vendors as
    select * from vendors;
  alter table floor_vendors add primary key (serial);
  create table floor_meta as select * from market_meta;`;

const page = (price: string) => `
  with p as (select l.serial from floor_listings l where l.search_name like $1 ${price}
    order by l.price, l.serial limit 50 offset $2)
  select l.*, v.serial as v_serial, v.shop_name, v.owner_serial, v.owner_name, v.x, v.y, v.z,
    v.house, v.map as v_map, v.region as v_region, v.updated_at as v_updated_at
  from p join floor_listings l using (serial) join floor_vendors v on v.serial = l.vendor_serial
  order by l.price, l.serial`;
const pageOfAll = page("");
const pageInRange = page("and price between $3 and $4");
const totalOfAll = "select coalesce(sum(n), 0) as total from floor_names where search_name like $1";
const totalInRange = `select count(*) as total from floor_listings
  where search_name like $1 and price between $2 and $3`;

/** Creates an Express without middleware that answers the same bytes from the tables of `floorTables`. */
export function floorApp(pool: Pool): Express {
  const app = express();
  app.disable("etag");
  app.get("/api/v1/public/shard/market", async (request, response) => {
    const { q, offset, minPrice, maxPrice } = request.query as Record<string, string>;
    const like = `%${q?.toLowerCase().replaceAll(/[\\%_]/g, "\\$&")}%`;
    const range = minPrice === undefined ? [] : [minPrice, maxPrice];
    const [found, total] = await Promise.all([
      pool.query(range.length > 0 ? pageInRange : pageOfAll, [like, offset ?? 0, ...range]),
      pool.query(range.length > 0 ? totalInRange : totalOfAll, [like, ...range]),
    ]);
    response.json({
      listings: found.rows.map(view),
      total: Number(total.rows[0].total),
      limit: 50,
      offset: Number(offset ?? 0),
      vendors: 50_000,
      staleAt: startedAt,
    });
  });
  return app;
}

const startedAt = new Date();

const serial = (number: number): string =>
  `0x${number.toString(16).toUpperCase().padStart(8, "0")}`;

const view = (row: Record<string, number>) => ({
  serial: serial(row["serial"] ?? 0),
  itemId: row["item_id"],
  hue: row["hue"],
  amount: row["amount"],
  price: row["price"],
  name: row["name"],
  cliloc: row["cliloc"],
  displayName: row["display_name"],
  child: row["child"],
  vendor: {
    serial: serial(row["v_serial"] ?? 0),
    shopName: row["shop_name"],
    ownerSerial: serial(row["owner_serial"] ?? 0),
    ownerName: row["owner_name"],
    location: {
      map: row["v_map"],
      x: row["x"],
      y: row["y"],
      z: row["z"],
      region: row["v_region"],
      house: row["house"],
    },
    updatedAt: row["v_updated_at"],
  },
});

/**
 * Upserts a vendor: writes each changed listing with its own statement, then the vendor's row and
 * the counts.
 */
export async function upsertFloorVendor(
  { vendor, items }: VendorUpsert,
  client: Client,
): Promise<void> {
  const { rows } = await client.query<{ serial: number; price: number }>({
    name: "floor read",
    text: `select serial, item_id, hue, amount, price, name, cliloc, child
           from floor_listings where vendor_serial = $1`,
    values: [parseSerialNumber(vendor.serial)],
  });
  const prices = new Map(items.map((item) => [parseSerialNumber(item.serial), item.price]));
  for (const row of rows) {
    const price = prices.get(row.serial);
    if (price === undefined || price === row.price) continue;
    await client.query({
      name: "floor write",
      text: "update floor_listings set price = $2, updated_at = clock_timestamp() where serial = $1",
      values: [row.serial, price],
    });
  }
  const { map, region, x, y, z } = vendor.location ?? {};
  await client.query({
    name: "floor vendor",
    text: `update floor_vendors set shop_name = $2, owner_name = $3, map = $4, region = $5, x = $6,
             y = $7, z = $8, updated_at = clock_timestamp() where serial = $1`,
    values: [
      parseSerialNumber(vendor.serial),
      vendor.shopName,
      vendor.ownerName,
      map,
      region,
      x,
      y,
      z,
    ],
  });
  await client.query({ name: "floor meta", text: "update floor_meta set version = version + 1" });
}
