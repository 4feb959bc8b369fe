import type { InferAttributes } from "sequelize";

import type { Listing } from "../../../models/market/listing.ts";
import type { Place } from "../../../models/market/place.ts";
import type { Vendor } from "../../../models/market/vendor.ts";
import type { GameAccountLink } from "../../../models/shard/game-account-link.ts";
import { createNamedStatement } from "../../platform/db/named-statements.ts";
import {
  columnNamesSql,
  excludedAssignmentsSql,
  jsonRowAssignmentsSql,
  jsonRowValuesSql,
  jsonRowsSql,
} from "../../platform/db/sql-text.ts";
import { shardSourceName } from "../../platform/plugin/sources.ts";

/** The columns of a stored vendor that a write needs. */
export type StoredVendor = Pick<
  InferAttributes<Vendor>,
  "serial" | "fingerprint" | "listed" | "placeId" | "map" | "region"
>;

export type StoredListing = Pick<
  InferAttributes<Listing>,
  "vendorSerial" | "serial" | "digest" | "price" | "labelId"
>;

/** A facet and a named region in it. Each is null if the shard does not name it. */
export type StoredPlace = Pick<InferAttributes<Place>, "id" | "map" | "region">;

/** CATALOGUE of the columns of a listing that a write sets. */
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

export type ListingRowInput = Pick<InferAttributes<Listing>, keyof typeof listingColumns>;

/** CATALOGUE of the columns of a vendor that a write sets. */
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

export type VendorRowInput = Pick<InferAttributes<Vendor>, keyof typeof vendorColumns>;

export interface MarketLock {
  /** Time of this write as text, because a Date would round it. */
  readonly at: string;
  /**
   * True to record changes for saved searches. False after the site was linked to another shard, until that
   * shard's first snapshot is stored.
   */
  readonly notesNews: boolean;
  /** True if earlier writes made a segment of a sort order too long or too short. */
  readonly segmentsUneven: boolean;
}

/**
 * SQL of a text that identifies the linked game: the address of its sidecar, or the key of its plugin with the
 * name of the server in the current hello. Null while ingest reads events that were sent before the current
 * hello.
 */
const linkedGame = `(
  select case when kind <> 'plugin' then base_url else (
    select 'plugin ' || session.key_id || ' ' || (session.hello #>> '{server,name}')
    from plugin_sessions session join ingest_sources read using (source)
    where source = '${shardSourceName}' and session.epoch = read.epoch) end
  from shardlink)`;

/** Locks the market if it is free; returns a `MarketLock`. */
export const tryLockMarketSql = {
  name: "market lock",
  text: `
    select clock_timestamp()::text as at, segments_uneven as "segmentsUneven",
      exists (select from market_searches where enabled) and (
        coalesce(snapshot_of = ${linkedGame}, false)
        or not exists (select from ingest_sources where 'market' = any(stale))) as "notesNews"
    from market_meta for update of market_meta skip locked`,
};

/** Locks the market. Waits in one long statement, so only a worker may use it. */
export const lockMarketSql = "select from market_meta for update";

/** Records the linked shard as the origin of the market. */
export const recordSnapshotSql = `update market_meta set snapshot_of = ${linkedGame}`;

/** Selects vendors by serial, as `StoredVendor`. */
export const selectVendorsSql = {
  name: "market vendors",
  text: `select serial, fingerprint, listed, place_id as "placeId", map, region
         from vendors where serial = any($1::integer[])`,
};

/** All listings of these vendors, as `StoredListing`. */
export const selectListingsSql = {
  name: "market listings",
  text: `select vendor_serial as "vendorSerial", serial, digest, price, label_id as "labelId"
         from listings where vendor_serial = any($1::integer[])`,
};

/** A listing that is new or has another price or name, with its previous values. */
export interface ListingChangeRow extends Readonly<Pick<StoredListing, "vendorSerial" | "serial">> {
  /** Null for a new listing. */
  readonly formerPrice: StoredListing["price"] | null;
  readonly formerLabelId: StoredListing["labelId"] | null;
  /** Key of the game account that owns the vendor. */
  readonly ownerKey: GameAccountLink["accountKey"] | null;
}

/** The rows of one write. Arrays are JSON texts. */
interface MarketRows {
  /** JSON of the `StoredListing` rows to delete. */
  readonly gone: string;
  /** JSON of the `ListingRowInput` rows to update. */
  readonly altered: string;
  readonly added: string;
  /** JSON of the `VendorRowInput` rows to write. */
  readonly vendors: string;
  /** JSON of the `ListingChangeRow` rows to record. */
  readonly news: string;
  readonly at: string;
  /** Changes in the number of vendors and listings. */
  readonly moreVendors: number;
  readonly moreListings: number;
}

/** Writes all `MarketRows` in one statement, because a round trip costs more than any single write. */
export const writeMarketSql = createNamedStatement<MarketRows>(
  "market write",
  `
    with gone as (
      delete from listings
      using json_to_recordset(:gone) as gone ("vendorSerial" integer, serial integer)
      where listings.vendor_serial = gone."vendorSerial" and listings.serial = gone.serial
    ), altered as (
      update listings set ${jsonRowAssignmentsSql(listingColumns)},
        search_name = named.search_name, updated_at = :at::timestamptz
      from ${jsonRowsSql(":altered", listingColumns)}
      join listing_names named on named.label_id = given."labelId"
      where listings.vendor_serial = given."vendorSerial" and listings.serial = given.serial
    ), added as (
      insert into listings (${columnNamesSql(listingColumns)}, search_name, updated_at)
      select ${jsonRowValuesSql(listingColumns)}, named.search_name, :at::timestamptz
      from ${jsonRowsSql(":added", listingColumns)}
      join listing_names named on named.label_id = given."labelId"
    ), counted as (
      update market_meta set version = version + 1, vendors = vendors + :moreVendors,
        items = items + :moreListings
    ), noted as (
      insert into listing_news (vendor_serial, serial, former_price, former_name, owner_key)
      select news."vendorSerial", news.serial, news."formerPrice", former.search_name,
        news."ownerKey"
      from json_to_recordset(:news) as news ("vendorSerial" integer, serial integer,
        "formerPrice" integer, "formerLabelId" integer, "ownerKey" text)
      left join listing_names former on former.label_id = news."formerLabelId"
    )
    insert into vendors (${columnNamesSql(vendorColumns)}, updated_at)
    select ${jsonRowValuesSql(vendorColumns)}, :at::timestamptz
    from ${jsonRowsSql(":vendors", vendorColumns)}
    on conflict (serial) do update set ${excludedAssignmentsSql(vendorColumns)},
      updated_at = excluded.updated_at`,
);

/** Splits long segments of the market's sort orders and joins short ones. */
export const balanceSegmentsSql = "select level_listing_segments()";

/** Stops the triggers that count listings, if the market is empty. */
export const pauseCountsSql = "update market_meta set counts_paused = true where items = 0";

/** Counts all listings, and starts the triggers that count listings. */
export const recountListingsSql = "select recount_listings()";

/** Updates the time of vendors whose upsert changed nothing else. */
export const touchVendorsSql = {
  name: "market refresh",
  text: "update vendors set updated_at = $2::timestamptz where serial = any($1::integer[])",
};

/** Updates the place of the listings of moved vendors. The time of the listings stays. */
export const moveListingsSql = `
  update listings set place_id = moved.place_id
  from unnest($1::integer[], $2::integer[]) as moved (vendor, place_id)
  where vendor_serial = moved.vendor and listings.place_id is distinct from moved.place_id`;

export const deleteVendorsSql = "delete from vendors where serial = any($1::integer[])";

export const deleteEmptyPlacesSql = `
  delete from places where id = any($1::integer[])
    and not exists (select from vendors where listed and place_id = places.id)`;

/** Stores the places that are new, and returns all given places as `StoredPlace`. */
export const storePlacesSql = `
  with given as (
    select distinct map, region from unnest($1::text[], $2::text[]) as given (map, region)
  ), added as (
    insert into places (map, region) select map, region from given
    on conflict do nothing
    returning id, map, region
  )
  select id, map, region from added
  union all
  select places.id, places.map, places.region
  from places join given on places.map is not distinct from given.map
    and places.region is not distinct from given.region`;
