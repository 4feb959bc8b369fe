import { setTimeout as sleep } from "node:timers/promises";

import type { InferAttributes } from "sequelize";

import type { Listing } from "../../../models/market/listing.ts";
import type { Vendor } from "../../../models/market/vendor.ts";
import type { ShardLink } from "../../../models/shard/shard-link.ts";
import { countChanged, type Database, firstRow, rows } from "../../platform/db/rows.ts";
import {
  columnNames,
  excludedAssignments,
  givenAssignments,
  givenValues,
  rowsGivenAs,
} from "../../platform/db/sql-text.ts";
import { shardSourceName } from "../../platform/plugin/sources.ts";

/** A vendor as it is stored, as far as a write must know it. */
export type StoredVendor = Pick<
  InferAttributes<Vendor>,
  "serial" | "fingerprint" | "listed" | "placeId" | "map" | "region"
>;

export type StoredListing = Pick<
  InferAttributes<Listing>,
  "vendorSerial" | "serial" | "digest" | "price" | "labelId"
>;

/** CATALOGUE of the columns that a write gives of a listing. */
const listingColumns = {
  vendorSerial: "integer",
  serial: "integer",
  digest: "uuid",
  itemId: "integer",
  hue: "integer",
  amount: "integer",
  price: "integer",
  child: "boolean",
  labelId: "integer",
  placeId: "integer",
} as const satisfies Partial<Record<keyof InferAttributes<Listing>, string>>;

export type WrittenListing = Pick<InferAttributes<Listing>, keyof typeof listingColumns>;

/** CATALOGUE of the columns that a write gives of a vendor. */
const vendorColumns = {
  serial: "integer",
  fingerprint: "uuid",
  listed: "boolean",
  shopName: "text",
  ownerSerial: "integer",
  ownerName: "text",
  placeId: "integer",
  map: "text",
  region: "text",
  x: "integer",
  y: "integer",
  z: "integer",
  house: "text",
  count: "integer",
  total: "integer",
} as const satisfies Partial<Record<keyof InferAttributes<Vendor>, string>>;

export type WrittenVendor = Pick<InferAttributes<Vendor>, keyof typeof vendorColumns>;

/** Short beside a rename of the whole market, which is the longest that the lock is held. */
const askAgainMs = 50;

export interface MarketLock {
  /** The instant of this write, as text, since a Date would round it. */
  readonly at: string;
  /**
   * Whether listings that change are noted for saved searches. The first snapshot of another shard
   * is no news, nor is what comes before it.
   */
  readonly notesNews: boolean;
}

/**
 * Waits for the market's other writers, and keeps them out until the transaction ends. It asks
 * again and again, because a statement that waited would be taken for a dead connection.
 */
export async function lockMarket(database: Database): Promise<MarketLock> {
  for (;;) {
    const held = await firstRow<MarketLock>(database, lock);
    if (held) return held;
    await sleep(askAgainMs);
  }
}

/**
 * SQL of the text that tells the linked game from another one: the address of its sidecar; or the key of its plugin with the
 * name of the game server, as of the hello whose events are read now. Null while events of a former hello
 * are still read.
 */
const linkedGame = `(
  select case when kind <> 'plugin' then base_url else (
    select 'plugin ' || session.key_id || ' ' || (session.hello #>> '{server,name}')
    from plugin_sessions session join ingest_sources read using (source)
    where source = '${shardSourceName}' and session.epoch = read.epoch) end
  from shardlink)`;

const lock = {
  name: "market lock",
  text: `
    select clock_timestamp()::text as at,
      exists (select from market_searches where enabled) and (
        coalesce(snapshot_of = ${linkedGame}, false)
        or not exists (select from ingest_sources where 'market' = any(stale))) as "notesNews"
    from market_meta for update of market_meta skip locked`,
};

/** The market is known as the linked shard has it. */
export async function noteSnapshot(database: Database): Promise<void> {
  await countChanged(database, `update market_meta set snapshot_of = ${linkedGame}`);
}

/** The same for a transaction that may wait in one statement, as a worker's may. */
export async function waitForMarket(database: Database): Promise<void> {
  await rows(database, "select from market_meta for update");
}

export const readVendors = (
  serials: readonly number[],
  database: Database,
): Promise<StoredVendor[]> => rows(database, selectVendors, [serials]);

const selectVendors = {
  name: "market vendors",
  text: `select serial, fingerprint, listed, place_id as "placeId", map, region
         from vendors where serial = any($1::integer[])`,
};

export async function readVendorSerials(database: Database): Promise<number[]> {
  const found = await rows<Pick<Vendor, "serial">>(database, "select serial from vendors");
  return found.map(({ serial }) => serial);
}

/** All that these vendors sell. */
export async function readListings(
  vendors: readonly StoredVendor[],
  database: Database,
): Promise<StoredListing[]> {
  if (vendors.length === 0) return [];
  return rows(database, selectListings, [vendors.map(({ serial }) => serial)]);
}

const selectListings = {
  name: "market listings",
  text: `select vendor_serial as "vendorSerial", serial, digest, price, label_id as "labelId"
         from listings where vendor_serial = any($1::integer[])`,
};

/** A listing that was put up, priced or named anew, with what it was before. */
export interface ListingNews extends Readonly<Pick<StoredListing, "vendorSerial" | "serial">> {
  /** Null when it is put up. */
  readonly formerPrice: StoredListing["price"] | null;
  readonly formerLabelId: StoredListing["labelId"] | null;
  /** The key of the game account that owns the vendor. */
  readonly ownerKey: ShardLink["accountKey"] | null;
}

export interface MarketRows {
  readonly gone: readonly StoredListing[];
  readonly altered: readonly WrittenListing[];
  readonly added: readonly WrittenListing[];
  readonly vendors: readonly WrittenVendor[];
  readonly news: readonly ListingNews[];
}

/**
 * Writes listings and vendors, and what is counted of the market.
 * @param at the instant of this write
 * @param growth how many vendors are listed more, or fewer, than before
 */
export async function writeRows(
  { gone, altered, added, vendors, news }: MarketRows,
  at: string,
  growth: number,
  database: Database,
): Promise<void> {
  const given = [gone, altered, added, vendors].map((some) => JSON.stringify(some));
  const counts = [growth, added.length - gone.length];
  await rows(database, write, [...given, at, ...counts, JSON.stringify(news)]);
}

/** One statement: a round trip costs more than what any part of it does. */
const write = {
  name: "market write",
  text: `
    with gone as (
      delete from listings
      using json_to_recordset($1) as gone ("vendorSerial" integer, serial integer)
      where listings.vendor_serial = gone."vendorSerial" and listings.serial = gone.serial
    ), altered as (
      update listings set ${givenAssignments(listingColumns)},
        search_name = named.search_name, updated_at = $5::timestamptz
      from ${rowsGivenAs("$2", listingColumns)}
      join listing_names named on named.label_id = given."labelId"
      where listings.vendor_serial = given."vendorSerial" and listings.serial = given.serial
    ), added as (
      insert into listings (${columnNames(listingColumns)}, search_name, updated_at)
      select ${givenValues(listingColumns)}, named.search_name, $5::timestamptz
      from ${rowsGivenAs("$3", listingColumns)}
      join listing_names named on named.label_id = given."labelId"
    ), counted as (
      update market_meta set version = version + 1, vendors = vendors + $6, items = items + $7
    ), noted as (
      insert into listing_news (vendor_serial, serial, former_price, former_name, owner_key)
      select news."vendorSerial", news.serial, news."formerPrice", former.search_name,
        news."ownerKey"
      from json_to_recordset($8) as news ("vendorSerial" integer, serial integer,
        "formerPrice" integer, "formerLabelId" integer, "ownerKey" text)
      left join listing_names former on former.label_id = news."formerLabelId"
    )
    insert into vendors (${columnNames(vendorColumns)}, updated_at)
    select ${givenValues(vendorColumns)}, $5::timestamptz
    from ${rowsGivenAs("$4", vendorColumns)}
    on conflict (serial) do update set ${excludedAssignments(vendorColumns)},
      updated_at = excluded.updated_at`,
};

/** Cuts segments of the market's orders that grew long, and joins those that became short. */
export async function levelSegments(database: Database): Promise<void> {
  await rows(database, level);
}

const level = { name: "market segments", text: "select level_listing_segments()" };

/** Vendors that were heard of again with nothing new are fresher than before, otherwise the same. */
export async function refreshVendors(
  serials: readonly number[],
  at: string,
  database: Database,
): Promise<void> {
  if (serials.length > 0) await countChanged(database, refresh, [serials, at]);
}

const refresh = {
  name: "market refresh",
  text: "update vendors set updated_at = $2::timestamptz where serial = any($1::integer[])",
};

/** Where a vendor's listings are sold now. */
export type VendorMove = Pick<InferAttributes<Vendor>, "serial" | "placeId">;

/** Gives the listings of moved vendors their new place; that alone does not make a listing newer. */
export async function moveListings(
  moved: readonly VendorMove[],
  database: Database,
): Promise<void> {
  if (moved.length === 0) return;
  await countChanged(
    database,
    `update listings set place_id = moved.place_id
     from unnest($1::integer[], $2::integer[]) as moved (vendor, place_id)
     where vendor_serial = moved.vendor and listings.place_id is distinct from moved.place_id`,
    [moved.map(({ serial }) => serial), moved.map(({ placeId }) => placeId)],
  );
}

export async function deleteVendors(serials: readonly number[], database: Database): Promise<void> {
  await countChanged(database, "delete from vendors where serial = any($1::integer[])", [serials]);
}
