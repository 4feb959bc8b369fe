import type { Sql } from "../../db/sql.ts";
import { type Altered, type Changes, type Held, isRelabelled } from "./changes.ts";
import { type Borne, keepLabels } from "./labels.ts";
import type { StoredVendor } from "./stored.ts";
import type { VendorState } from "./vendor-state.ts";

/** What is to be written at once. */
export interface Writing {
  readonly changes: Changes;
  /** Vendors that are to be as these states say. */
  readonly states: readonly VendorState[];
  /** How many vendors the market has more, or fewer, than before. */
  readonly growth: number;
  /** Where each vendor stands, by its serial. */
  readonly placeIds: ReadonlyMap<number, number | null>;
  /** The instant of this writing. */
  readonly at: string;
}

/**
 * Brings listings, vendors and what is counted of the market to what is to be; what stays the same
 * is not touched. One statement, since a round trip costs more than anything it does.
 * @returns what is still to be counted to or from labels
 */
export async function writeMarket(writing: Writing, sql: Sql): Promise<Borne> {
  const { changes, states, growth, placeIds, at } = writing;
  const { added, altered, gone } = changes;
  const relabelled = altered.filter(isRelabelled);
  const gained = [...added, ...relabelled].map(({ listing }) => listing.label);
  const { ids, borne } = await keepLabels(gained, sql);
  const rowOf = rowsWith(ids, placeIds);
  const rows = [gone, altered.map(rowOf), added.map(rowOf), states.map(vendorWith(placeIds))];
  await sql.query({
    name: "market write",
    text: statement,
    values: [...rows.map((some) => JSON.stringify(some)), at, growth, added.length - gone.length],
  });
  return withoutLost([...relabelled.map(({ row }) => row), ...gone], borne);
}

function withoutLost(lost: Changes["gone"], gained: Borne): Borne {
  const borne = new Map(gained);
  for (const { labelId } of lost) borne.set(labelId, (borne.get(labelId) ?? 0) - 1);
  return borne;
}

const rowsWith =
  (labelIds: ReadonlyMap<string, number>, placeIds: Writing["placeIds"]) =>
  ({ vendor, listing, row }: Held & Partial<Altered>): object => ({
    vendor_serial: vendor.serial,
    serial: listing.serial,
    digest: listing.digest,
    item_id: listing.itemId,
    hue: listing.hue,
    amount: listing.amount,
    price: listing.price,
    child: listing.child,
    label_id: labelIds.get(listing.label.key) ?? row?.labelId,
    place_id: placeIds.get(vendor.serial),
  });

const vendorWith =
  (placeIds: Writing["placeIds"]) =>
  ({ listings, spot, ...vendor }: VendorState): object => ({
    ...vendor,
    ...spot,
    place: placeIds.get(vendor.serial),
    count: listings.size,
  });

const listingRow = `(vendor_serial integer, serial integer, digest uuid, item_id integer,
  hue integer, amount integer, price integer, child boolean, label_id integer, place_id integer)`;

const vendorRow = `(serial integer, fingerprint uuid, listed boolean, "shopName" text,
  "ownerSerial" integer, "ownerName" text, place integer, map text, region text, x integer,
  y integer, z integer, house text, count integer, total integer)`;

const statement = `
  with gone as (
    delete from listings
    using json_to_recordset($1) as gone ("vendorSerial" integer, serial integer)
    where vendor_serial = gone."vendorSerial" and listings.serial = gone.serial
  ), altered as (
    update listings set digest = given.digest, item_id = given.item_id, hue = given.hue,
      amount = given.amount, price = given.price, child = given.child, label_id = given.label_id,
      search_name = named.search_name, updated_at = $5::timestamptz
    from json_to_recordset($2) as given ${listingRow} join listing_names named using (label_id)
    where listings.vendor_serial = given.vendor_serial and listings.serial = given.serial
  ), added as (
    insert into listings (vendor_serial, serial, digest, item_id, hue, amount, price, child,
      label_id, place_id, search_name, updated_at)
    select given.*, search_name, $5::timestamptz
    from json_to_recordset($3) as given ${listingRow} join listing_names using (label_id)
  ), counted as (
    update market_meta set version = version + 1, vendors = vendors + $6, items = items + $7
  )
  insert into vendors (serial, fingerprint, listed, shop_name, owner_serial, owner_name, place_id,
    map, region, x, y, z, house, count, total, updated_at)
  select given.*, $5::timestamptz from json_to_recordset($4) as given ${vendorRow}
  on conflict (serial) do update set fingerprint = excluded.fingerprint, listed = excluded.listed,
    shop_name = excluded.shop_name, owner_serial = excluded.owner_serial,
    owner_name = excluded.owner_name, place_id = excluded.place_id, map = excluded.map,
    region = excluded.region, x = excluded.x, y = excluded.y, z = excluded.z,
    house = excluded.house, count = excluded.count, total = excluded.total,
    updated_at = excluded.updated_at`;

/** Takes the listings of vendors that moved along; where a thing is sold is no news of the thing. */
export async function moveListings(
  moved: readonly StoredVendor[],
  { placeIds }: Pick<Writing, "placeIds">,
  sql: Sql,
): Promise<void> {
  if (moved.length === 0) return;
  const serials = moved.map(({ serial }) => serial);
  await sql.query(
    `update listings set place_id = moved.place_id
     from unnest($1::integer[], $2::integer[]) as moved (vendor, place_id)
     where vendor_serial = moved.vendor and listings.place_id is distinct from moved.place_id`,
    [serials, serials.map((serial) => placeIds.get(serial) ?? null)],
  );
}

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
