import type { Sql } from "../../db/sql.ts";
import { type Altered, type Changes, type Held, isRelabelled } from "./changes.ts";
import { type Borne, keepLabels } from "./labels.ts";
import type { StoredListing } from "./stored.ts";

/** What the rows to be written refer to. */
export interface References {
  /** Where each vendor stands, by its serial. */
  readonly placeIds: ReadonlyMap<number, number | null>;
  /** The instant of this writing. */
  readonly at: string;
}

/**
 * Brings the listings to what the changes say; what stays the same is not touched.
 * @returns what is still to be counted to or from labels
 */
export async function writeListings(
  { added, altered, gone }: Changes,
  references: References,
  sql: Sql,
): Promise<Borne> {
  const relabelled = altered.filter(isRelabelled);
  const gained = [...added, ...relabelled].map(({ listing }) => listing.label);
  const { ids, borne } = await keepLabels(gained, sql);
  const rowOf = rowsWith(ids, references);
  await removeListings(gone, sql);
  await alterListings(altered.map(rowOf), references, sql);
  await addListings(added.map(rowOf), references, sql);
  const changes = new Map(borne);
  for (const { labelId } of [...relabelled.map(({ row }) => row), ...gone]) {
    changes.set(labelId, (changes.get(labelId) ?? 0) - 1);
  }
  return changes;
}

const columns = `vendor_serial integer, serial integer, digest uuid, item_id integer, hue integer,
  amount integer, price integer, child boolean, label_id integer, place_id integer`;

const rowsWith =
  (labelIds: ReadonlyMap<string, number>, { placeIds }: References) =>
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

async function addListings(rows: readonly object[], { at }: References, sql: Sql): Promise<void> {
  if (rows.length === 0) return;
  await sql.query({
    name: "market add",
    text: `insert into listings (vendor_serial, serial, digest, item_id, hue, amount, price, child,
             label_id, place_id, search_name, updated_at)
           select given.*, search_name, $2::timestamptz
           from json_to_recordset($1) as given (${columns}) join listing_names using (label_id)`,
    values: [JSON.stringify(rows), at],
  });
}

async function alterListings(rows: readonly object[], { at }: References, sql: Sql): Promise<void> {
  if (rows.length === 0) return;
  await sql.query({
    name: "market alter",
    text: `update listings set digest = given.digest, item_id = given.item_id, hue = given.hue,
             amount = given.amount, price = given.price, child = given.child,
             label_id = given.label_id, search_name = listing_names.search_name,
             updated_at = $2::timestamptz
           from json_to_recordset($1) as given (${columns}) join listing_names using (label_id)
           where listings.vendor_serial = given.vendor_serial and listings.serial = given.serial`,
    values: [JSON.stringify(rows), at],
  });
}

async function removeListings(gone: readonly StoredListing[], sql: Sql): Promise<void> {
  if (gone.length === 0) return;
  await sql.query({
    name: "market remove",
    text: `delete from listings using unnest($1::integer[], $2::integer[]) as gone (vendor, serial)
           where vendor_serial = gone.vendor and listings.serial = gone.serial`,
    values: [gone.map(({ vendorSerial }) => vendorSerial), gone.map(({ serial }) => serial)],
  });
}

/** Takes the listings of vendors that moved along; where a thing is sold is no news of the thing. */
export async function moveListings(
  vendorSerials: readonly number[],
  { placeIds }: References,
  sql: Sql,
): Promise<void> {
  if (vendorSerials.length === 0) return;
  await sql.query({
    name: "market move",
    text: `update listings set place_id = moved.place_id
           from unnest($1::integer[], $2::integer[]) as moved (vendor, place_id)
           where vendor_serial = moved.vendor and listings.place_id is distinct from moved.place_id`,
    values: [vendorSerials, vendorSerials.map((serial) => placeIds.get(serial) ?? null)],
  });
}
