import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create extension if not exists pg_trgm;

    -- One row: whoever writes to the market holds it, and what is counted of the market is read here.
    create table market_meta (
      id smallint primary key default 1 check (id = 1),
      version bigint not null default 0,
      vendors integer not null default 0,
      items integer not null default 0
    );
    insert into market_meta default values;

    -- Where listed vendors stand, so that a listing carries both names as one small number.
    create table places (
      id integer generated always as identity primary key,
      map text,
      region text
    );
    -- Digests, since nobody says how long a name may be and an index entry has its bounds.
    create unique index places_names on places (md5(map), md5(region)) nulls not distinct;

    -- Serials are numbers here: they sort as their texts do and take a third of the room.
    create table vendors (
      serial integer primary key,
      fingerprint uuid not null,
      listed boolean not null,
      shop_name text,
      owner_serial integer,
      owner_name text,
      place_id integer references places,
      map text,
      region text,
      x integer,
      y integer,
      z integer,
      house text,
      count integer not null,
      total integer not null,
      updated_at timestamptz not null
    );
    create index vendors_updated_at on vendors (updated_at) where listed;
    create index vendors_place on vendors (place_id) where listed;

    -- From here on no foreign keys: one writer at a time keeps all of it whole, and each check
    -- would cost about what the insert itself costs.

    -- What a listing is called: its literal name, or a cliloc with its arguments.
    create table listing_labels (
      id integer generated always as identity primary key,
      key uuid not null unique,
      name text,
      cliloc integer,
      args text,
      display_name text
    );

    -- What labels are searched by and how many listings bear each: a total is the sum over the
    -- names that match. It is scanned whole for short terms, so it holds nothing else.
    create table listing_names (
      label_id integer primary key,
      listings integer not null,
      search_name text collate "C"
    ) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05);
    -- New names wait in a list that every search reads too, so it is kept to eight pages.
    create index listing_names_search on listing_names using gin (search_name gin_trgm_ops)
      with (gin_pending_list_limit = 64);

    create table listings (
      vendor_serial integer not null,
      serial integer not null,
      digest uuid not null,
      item_id integer not null,
      hue integer not null,
      amount integer not null,
      price integer not null,
      label_id integer not null,
      place_id integer,
      child boolean not null,
      updated_at timestamptz not null,
      search_name text collate "C",
      primary key (vendor_serial, serial)
    ) with (
      fillfactor = 90,
      autovacuum_vacuum_scale_factor = 0.02,
      autovacuum_vacuum_insert_scale_factor = 0.02,
      autovacuum_analyze_scale_factor = 0.02
    );
    -- These two hold all that a search tests, so that it walks them without visiting the table.
    create index listings_price on listings (price, serial, vendor_serial)
      include (search_name, item_id, place_id);
    create index listings_recent on listings (updated_at desc, serial, vendor_serial)
      include (search_name, price, item_id, place_id);
    create index listings_label on listings (label_id);
    create index listings_item on listings (item_id);
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(
    "drop table listings, listing_names, listing_labels, vendors, places, market_meta",
  );
}
