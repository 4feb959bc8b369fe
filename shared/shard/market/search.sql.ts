import type { SqlParams } from "../../platform/db/sql-text.ts";
import { type ColumnFilters, type MarketQuery, type SortOrder, sortOrders } from "./filters.ts";

export type Paging = Pick<MarketQuery, "sort" | "limit" | "offset">;

/**
 * The plan to find matching listings. PostgreSQL's planner does not choose it, because its estimate for a term
 * in a million names is wrong by a factor of up to a hundred. `label`, `item`, `place`: look up the few
 * listings that match this filter, and test the other filters. `walk`: scan the price index over the range of
 * prices, and test all filters.
 */
export type SearchPlan = "label" | "item" | "place" | "walk";

/** Selects all matches, unsorted. The plan `walk` returns only their keys, other plans also their sort columns. */
export function selectMatchingListingsSql(
  plan: SearchPlan,
  filters: ColumnFilters,
  params: SqlParams,
): string {
  if (plan === "walk") return selectByIndexScanSql(filters, "price, serial, vendor_serial", params);
  const name = plan === "label" ? byLabel(filters, params) : nameLike(filters, params);
  const place = plan === "place" ? byVendor(filters, params) : placeIn(filters, params);
  return `select vendor_serial, serial, price, updated_at from listings
    where ${name} and ${item(filters, params)} and ${place} and ${price(filters, params)}`;
}

/**
 * Selects matches in the order of an index, so that a limit ends the scan early. `offset 0` separates the index
 * scan from the filters; otherwise the planner prefers to sort the table.
 */
export function selectByIndexScanSql(
  filters: ColumnFilters,
  order: string,
  params: SqlParams,
): string {
  return `select vendor_serial, serial from (
      select vendor_serial, serial, search_name, item_id, place_id from listings
      where ${price(filters, params)} order by ${order} offset 0
    ) walked
    where ${nameLike(filters, params)} and ${item(filters, params)}
      and ${placeIn(filters, params)}`;
}

/**
 * Selects a page with a large offset from all listings or a range of prices. The stored segments of the sort
 * order hold counts, which locate the page, so only the listings of one or two segments are read.
 */
export function selectFromSegmentsSql(
  filters: ColumnFilters,
  { sort, limit, offset }: Paging,
  params: SqlParams,
): string {
  const { value, valueOf, after, before } = segmentedOrders[sort];
  const [size, passed] = [`${params.add(limit)}::bigint`, "(select position - before from first)"];
  const [from, to] = [`(select ${valueOf} from first)`, `(select ${valueOf} from finish)`];
  const isBefore = `(serial, vendor_serial)
    < ((select serial from finish), (select vendor_serial from finish))`;
  // If all listings of the page have the same sort value, the last listing's serial ends the scan.
  const end = "(select case when finish.key = first.key then finish.serial end from first, finish)";
  const listings = "select vendor_serial, serial, price, updated_at from listings";
  return `with segments as materialized (
      select key, serial, vendor_serial,
        sum(listings) over (order by key, serial, vendor_serial) - listings as before
      from listing_segments where sort = '${sort}'
    ), page as materialized (
      select ${params.add(offset)}::bigint + ${countBefore(filters, sort, params)} as position
    ), first as materialized (
      select * from segments cross join page where before <= position
      order by before desc, key desc, serial desc, vendor_serial desc limit 1
    ), finish as materialized (
      select key, serial, vendor_serial from (
        select key, serial, vendor_serial from segments cross join page
        where before >= position + ${size}
        union all select ${maxKey}, 0, 0) later
      order by key, serial, vendor_serial limit 1
    )
    select vendor_serial, serial from (
      ${listings} where ${value} = ${from} and (serial, vendor_serial)
        >= ((select serial from first), (select vendor_serial from first))
        and serial <= coalesce(${end}, ${highestSerial}) and (${value} <> ${to} or ${isBefore})
      union all
      ${listings} where ${value} ${after} ${from} and ${value} ${before} ${to}
      union all
      ${listings} where ${value} = ${to} and ${value} <> ${from} and ${isBefore}) segmented
    order by ${sortOrders[sort].join(", ")} limit ${size} offset ${passed}`;
}

const highestSerial = 0x7fff_ffff;

/** Greater than the key of any listing. */
const maxKey = "9000000000000000";

/**
 * For each sort order: the sort column, the column's value from a segment's key, and the operators that select
 * later and earlier rows.
 */
const segmentedOrders = {
  price_asc: { value: "price", valueOf: "key", after: ">", before: "<" },
  price_desc: { value: "price", valueOf: "-key", after: "<", before: ">" },
  recent: {
    value: "updated_at",
    valueOf: "timestamptz 'epoch' - key * interval '1 microsecond'",
    after: "<",
    before: ">",
  },
} as const satisfies Readonly<Record<SortOrder, object>>;

/** Returns SQL that counts the listings that a sort order puts before the range of prices. */
function countBefore(
  { minPrice, maxPrice }: ColumnFilters,
  sort: SortOrder,
  params: SqlParams,
): string {
  if (sort === "price_asc" && minPrice !== undefined) {
    return `listings_below(${params.add(minPrice)})`;
  }
  if (sort === "price_desc" && maxPrice !== undefined) {
    return `(${countAllListingsSql()} - listings_below(${params.add(maxPrice + 1)}))`;
  }
  return "0";
}

/** Returns an SQL expression that counts the matches of a name without reading each listing. */
export const countByNameSql = (pattern: unknown, params: SqlParams): string =>
  `(select coalesce(sum(listings), 0) from listing_names
    where search_name like ${params.add(pattern)})`;

export const countByItemSql = (itemId: unknown, params: SqlParams): string =>
  `(select coalesce(sum(listings), 0) from listing_counts
    where counted = 'item' and key = ${params.add(itemId)})`;

export const countByPlaceSql = (placeIds: unknown, params: SqlParams): string =>
  `(select coalesce(sum(listings), 0) from listing_counts
    where counted = 'place' and key = any(${params.add(placeIds)}::integer[]))`;

/** Returns an SQL expression that counts the listings in a range of prices. */
export function countByPriceSql({ minPrice, maxPrice }: ColumnFilters, params: SqlParams): string {
  const below = (price: number): string => `listings_below(${params.add(price)})`;
  const upTo = maxPrice === undefined ? countAllListingsSql() : below(maxPrice + 1);
  return minPrice === undefined ? upTo : `(${upTo} - ${below(minPrice)})`;
}

export const countAllListingsSql = (): string => "(select items from market_meta)";

/** Selects a count together with the version of the market in the same snapshot. */
export const selectVersionedCountSql = (count: string): string =>
  `select version, ${count} as value from market_meta`;

/** Selects `MarketSummary` in one row. */
export const selectMarketSummarySql = `
  select version, vendors,
    (select floor(extract(epoch from min(updated_at)) * 1000)::bigint
     from vendors where listed) as "staleMs"
  from market_meta`;

export const selectMarketMetaSql = `
  select vendors, items,
    (select min(updated_at) from vendors where listed) as "staleAt",
    (select max(updated_at) from vendors where listed) as "freshAt",
    array(select distinct map from places where map is not null order by 1) as maps,
    array(select distinct region from places where region is not null order by 1) as regions
  from market_meta`;

/** Columns of `ListingRow` from `listing`, `label` and `vendor`. */
const listingColumns = `
  listing.serial, listing.item_id as "itemId", listing.hue, listing.amount, listing.price,
  listing.child, label.name, label.cliloc, label.display_name as "displayName",
  vendor.serial as "vendorSerial", vendor.shop_name as "shopName",
  vendor.owner_serial as "ownerSerial", vendor.owner_name as "ownerName",
  vendor.place_id as "placeId", vendor.map, vendor.region, vendor.x, vendor.y, vendor.z,
  vendor.house, vendor.updated_at as "vendorUpdatedAt"`;

/**
 * Selects listings with the market's summary of the same snapshot. If there are no listings, returns one row with
 * only the summary.
 */
export const selectListingPageSql = (facts: string, found: string, order: string): string => `
  with found as (${found})
  select facts.*, ${listingColumns}
  from (${facts}) as facts
  left join (
    found join listings listing using (vendor_serial, serial)
    join vendors vendor on vendor.serial = listing.vendor_serial
    join listing_labels label on label.id = listing.label_id
  ) on true
  order by ${order}`;

/**
 * Selects a vendor and its page in one query, because a write between two queries would make them inconsistent.
 */
export const selectVendorPageSql = `
  select vendor.count, vendor.total, ${listingColumns}
  from vendors vendor
  left join (
    select * from listings where vendor_serial = $1 order by price, serial limit $2 offset $3
  ) listing on true
  left join listing_labels label on label.id = listing.label_id
  where vendor.listed and vendor.serial = $1
  order by listing.price, listing.serial`;

const byLabel = ({ pattern }: ColumnFilters, params: SqlParams): string =>
  `label_id = any(array(
     select label_id from listing_names where search_name like ${params.add(pattern)}))`;

const nameLike = ({ pattern }: ColumnFilters, params: SqlParams): string =>
  joinConditions(pattern !== undefined && `search_name like ${params.add(pattern)}`);

const price = ({ minPrice, maxPrice }: ColumnFilters, params: SqlParams): string =>
  joinConditions(
    minPrice !== undefined && `price >= ${params.add(minPrice)}`,
    maxPrice !== undefined && `price <= ${params.add(maxPrice)}`,
  );

const item = ({ itemId }: ColumnFilters, params: SqlParams): string =>
  joinConditions(itemId !== undefined && `item_id = ${params.add(itemId)}`);

const placeIn = ({ placeIds }: ColumnFilters, params: SqlParams): string =>
  joinConditions(placeIds !== undefined && `place_id = any(${params.add(placeIds)}::integer[])`);

const byVendor = ({ placeIds }: ColumnFilters, params: SqlParams): string =>
  `vendor_serial = any(array(
     select serial from vendors
     where listed and place_id = any(${params.add(placeIds)}::integer[])))`;

const joinConditions = (...conditions: readonly (string | false)[]): string =>
  conditions.filter(Boolean).join(" and ") || "true";
