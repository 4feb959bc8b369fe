import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create extension if not exists pg_trgm;

    -- One row that every writer of the market locks. It also holds the market's counts.
    create table market_meta (
      id smallint primary key default 1 check (id = 1),
      version bigint not null default 0,
      vendors integer not null default 0,
      items integer not null default 0
    );
    insert into market_meta default values;

    -- Locations of listed vendors, so that a listing refers to map and region by one small number.
    create table places (
      id integer generated always as identity primary key,
      map text,
      region text
    );
    -- Digests, because names have no maximum length but index entries do.
    create unique index places_names on places (md5(map), md5(region)) nulls not distinct;

    -- Serials are numbers here: they sort as their texts do and take a third of the space.
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

    -- No foreign keys from here on: the only writer keeps the tables consistent, and each check
    -- would cost about as much as the insert itself.

    -- The name of a listing: a literal name, or a cliloc with its arguments.
    create table listing_labels (
      id integer generated always as identity primary key,
      key uuid not null unique,
      name text,
      cliloc integer,
      args text,
      display_name text
    );

    -- The search text of each label and the number of its listings, whose sum is a search's total.
    -- Short terms scan the whole table, so it has no other columns.
    create table listing_names (
      label_id integer primary key,
      listings integer not null,
      search_name text collate "C"
    ) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05);
    -- Every search also reads the pending list of new names, so it is limited to eight pages.
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
    -- Both indexes hold every column that a search tests, so a search does not read the table.
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
