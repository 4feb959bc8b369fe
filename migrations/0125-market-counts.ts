import type { QueryInterface } from "sequelize";

/** A sort order of the market's listings: by a value, then by serials. */
interface Order {
  readonly sort: string;
  readonly value: string;
  /** SQL that computes the key of a value. Keys ascend in the sort order. */
  readonly key: string;
  /** Returns SQL that converts a variable with a key back to the value. */
  readonly valueOf: (key: string) => string;
  /** The operator that selects values which come later in the sort order. */
  readonly after: string;
  readonly before: string;
}

const orders: readonly Order[] = [
  {
    sort: "price_asc",
    value: "price",
    key: "price::bigint",
    valueOf: (key) => key,
    after: ">",
    before: "<",
  },
  {
    sort: "price_desc",
    value: "price",
    key: "-price::bigint",
    valueOf: (key) => `-${key}`,
    after: "<",
    before: ">",
  },
  {
    sort: "recent",
    value: "updated_at",
    key: "-(extract(epoch from updated_at) * 1000000)::bigint",
    valueOf: (key) => `timestamptz 'epoch' - ${key} * interval '1 microsecond'`,
    after: "<",
    before: ">",
  },
];

const ordered = orders.map(({ sort, key }) => `('${sort}', ${key})`).join(", ");

/** A number below all keys: the start of the first segment. */
export const lowest = -9_000_000_000_000_000;

/** Listings per segment. A segment is split above `most` and merged with the previous one below `least`. */
export const most = 2_048;
const usual = 1_024;
export const least = 128;

const columns = "price, updated_at, item_id, place_id";
const compared = (row: string): string =>
  columns
    .split(", ")
    .map((column) => `${row}.${column}`)
    .join(", ");

const rowsOf = (row: string, change: string): string =>
  `select ${row}.vendor_serial, ${row}.serial, ${compared(row)}, ${change} as change`;

const joined = `from came join went using (vendor_serial, serial)
  where (${compared("came")}) is distinct from (${compared("went")})`;

const changed = {
  insert: `${rowsOf("came", "1")} from came`,
  delete: `${rowsOf("went", "-1")} from went`,
  // An update never changes the serials, so they identify the same listing before and after it.
  update: `${rowsOf("came", "1")} ${joined} union all ${rowsOf("went", "-1")} ${joined}`,
} as const;

const transition = {
  insert: "new table as came",
  delete: "old table as went",
  update: "new table as came old table as went",
} as const;

export const listingEvents = ["insert", "update", "delete"] as const;
export type ListingEvent = (typeof listingEvents)[number];

/** Adds the changes of a trigger's transition tables to the counts of items and places. */
export const updateCounts = (event: ListingEvent): string => `
    insert into listing_counts as known (counted, key, listings)
    select counted, key, sum(change)
    from (${changed[event]}) changed
    cross join lateral (values ('item', item_id), ('place', place_id)) bears (counted, key)
    where key is not null group by 1, 2 having sum(change) <> 0 order by 1, 2
    on conflict (counted, key) do update set listings = known.listings + excluded.listings`;

/** Adds the changes of a trigger's transition tables to the counts of segments. */
export const updateSegments = (event: ListingEvent): string => `
    update listing_segments segment set listings = segment.listings + changes.change
    from (
      select holding.sort, holding.key, holding.serial, holding.vendor_serial, sum(change) as change
      from (${changed[event]}) changed
      cross join lateral (values ${ordered}) ordered (sort, key)
      cross join lateral (
        select * from listing_segments known
        where known.sort = ordered.sort and (known.key, known.serial, known.vendor_serial)
          <= (ordered.key, changed.serial, changed.vendor_serial)
        order by known.sort desc, known.key desc, known.serial desc, known.vendor_serial desc
        limit 1) holding
      group by 1, 2, 3, 4 having sum(change) <> 0) changes
    where segment.sort = changes.sort and segment.key = changes.key
      and segment.serial = changes.serial and segment.vendor_serial = changes.vendor_serial`;

/**
 * Returns SQL that creates or replaces the trigger function that counts listings. It disables sequential scans: a
 * plan made while there were few segments would later scan all segments for each listing.
 */
export const countFunction = (event: ListingEvent, statements: string): string => `
  create or replace function count_listings_${event}() returns trigger language plpgsql
  set enable_seqscan = off set enable_bitmapscan = off as $$
  begin
    ${statements}
    return null;
  end $$;`;

export const countListings = (event: ListingEvent): string =>
  countFunction(event, `${updateCounts(event)};\n${updateSegments(event)};`);

const createTrigger = (event: ListingEvent): string => `
  create trigger count_${event} after ${event} on listings referencing ${transition[event]}
    for each statement execute function count_listings_${event}();`;

/** Selects the listings from one key up to, but not including, the next key if there is one. */
const within = ({ value, valueOf, after, before }: Order): string => {
  const [from, to] = [valueOf("own.key"), valueOf("later.key")];
  const isBefore = "(serial, vendor_serial) < (later.serial, later.vendor_serial)";
  return `
    select * from listings where ${value} = ${from}
      and (serial, vendor_serial) >= (own.serial, own.vendor_serial)
      and (later.key is null or later.key > own.key or ${isBefore})
    union all
    select * from listings where ${value} ${after} ${from}
      and (later.key is null or ${value} ${before} ${to})
    union all
    select * from listings where later.key > own.key and ${value} = ${to} and ${isBefore}`;
};

const cut = (order: Order): string => `
  if own.sort = '${order.sort}' then
    with placed as materialized (
      select ${order.key} as key, serial, vendor_serial,
        row_number() over (order by ${order.key}, serial, vendor_serial) - 1 as place,
        count(*) over () as listings
      from (${within(order)}) listing
    ), cut as (
      insert into listing_segments (sort, key, serial, vendor_serial, listings)
      select own.sort, key, serial, vendor_serial, least(${usual}, listings - place)
      from placed where place > 0 and place % ${usual} = 0
    )
    update listing_segments segment
    set listings = least(${usual}, coalesce((select max(listings) from placed), 0))
    where segment.sort = own.sort and segment.key = own.key and segment.serial = own.serial
      and segment.vendor_serial = own.vendor_serial;
  end if;`;

/** Returns SQL of the function that splits long segments and merges short ones. @param last its last statement */
export const levelFunction = (last = ""): string => `
    create or replace function level_listing_segments() returns void language plpgsql as $$
    declare own listing_segments; later listing_segments; earlier listing_segments;
    begin
      for own in select * from listing_segments where listings < ${least} and key > ${lowest}
        order by sort, key, serial, vendor_serial
      loop
        select * into earlier from listing_segments known
        where known.sort = own.sort and (known.key, known.serial, known.vendor_serial)
          < (own.key, own.serial, own.vendor_serial)
        order by sort desc, key desc, serial desc, vendor_serial desc limit 1;
        update listing_segments segment set listings = segment.listings + own.listings
        where segment.sort = earlier.sort and segment.key = earlier.key
          and segment.serial = earlier.serial and segment.vendor_serial = earlier.vendor_serial;
        delete from listing_segments segment
        where segment.sort = own.sort and segment.key = own.key and segment.serial = own.serial
          and segment.vendor_serial = own.vendor_serial;
      end loop;
      for own in select * from listing_segments where listings > ${most} loop
        select * into later from listing_segments known
        where known.sort = own.sort and (known.key, known.serial, known.vendor_serial)
          > (own.key, own.serial, own.vendor_serial)
        order by sort, key, serial, vendor_serial limit 1;
        ${orders.map(cut).join("\n")}
      end loop;
      ${last}
    end $$;`;

/** Returns SQL of the function that counts all listings again. @param last its last statement */
export const recountFunction = (last = ""): string => `
    create or replace function recount_listings() returns void language plpgsql as $$
    begin
      delete from listing_counts;
      insert into listing_counts (counted, key, listings)
      select 'item', item_id, count(*) from listings group by 2
      union all
      select 'place', place_id, count(*) from listings where place_id is not null group by 2;
      delete from listing_segments;
      insert into listing_segments (sort, key, serial, vendor_serial, listings)
      select sort, ${lowest}, -2147483648, -2147483648, (select count(*) from listings)
      from unnest(array['${orders.map(({ sort }) => sort).join("', '")}']) sort;
      perform level_listing_segments();
      ${last}
    end $$;`;

/**
 * Counts the market's listings by item, by place and in segments of each sort order. With the counts of
 * segments, a page at any offset is found and ranges of prices are counted. Triggers update the counts; writers
 * split and merge segments after their last write.
 */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    -- Writers of the market lock this row constantly; with it locked, none waits for the table.
    select from market_meta for update;
    lock table listings in share row exclusive mode;

    create table listing_counts (
      counted text collate "C" not null check (counted in ('item', 'place')),
      -- The id of an item or of a place.
      key integer not null,
      listings integer not null,
      primary key (counted, key)
    ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.5);

    -- A segment reaches from its key up to the next one.
    create table listing_segments (
      sort text collate "C" not null check (sort in ('price_asc', 'price_desc', 'recent')),
      -- A price, a negated price, or the microseconds before 1970.
      key bigint not null,
      serial integer not null,
      vendor_serial integer not null,
      listings integer not null,
      primary key (sort, key, serial, vendor_serial)
    ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.5);

    ${listingEvents.map(countListings).join("\n")}
    ${listingEvents.map(createTrigger).join("\n")}

    ${levelFunction()}
    ${recountFunction()}
    select recount_listings();

    create function count_listings_truncate() returns trigger language plpgsql as $$
    begin
      perform recount_listings();
      return null;
    end $$;
    create trigger count_truncate after truncate on listings
      for each statement execute function count_listings_truncate();

    -- The number of listings below a price.
    create function listings_below(given bigint) returns bigint language sql stable
    begin atomic
      with before as (
        select * from listing_segments where sort = 'price_asc' and key < given
      ), last as (
        select * from before order by key desc, serial desc, vendor_serial desc limit 1
      )
      select coalesce((select sum(listings) from before), 0)::bigint - (
        select count(*) from last cross join lateral (
          select price from listings
          where (price, serial, vendor_serial) >= (last.key, last.serial, last.vendor_serial)
          order by price, serial, vendor_serial limit last.listings) held
        where price >= given);
    end;
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    drop function listings_below(bigint);
    drop function recount_listings();
    drop function level_listing_segments();
    ${[...listingEvents, "truncate"]
      .map(
        (event) => `
    drop trigger count_${event} on listings;
    drop function count_listings_${event}();`,
      )
      .join("")}
    drop table listing_segments, listing_counts;
  `);
}
