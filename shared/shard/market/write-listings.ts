import type { Sql } from "../../db/sql.ts";
import type { Changes, Held } from "./changes.ts";
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
 * @returns what is still to be counted to or from labels that were there before
 */
export async function writeListings(
  changes: Changes,
  references: References,
  sql: Sql,
): Promise<Borne> {
  const { added, altered, gone, borne, knownLabels, otherLabels } = changes;
  const { ids, fresh } = await keepLabels(otherLabels, borne, sql);
  const labelIds = new Map([...knownLabels, ...ids]);
  await removeListings(gone, sql);
  await alterListings(columnsOf(altered, labelIds), references, sql);
  await addListings(added, columnsOf(added, labelIds), references, sql);
  const uncounted = [...borne].filter(([key]) => !fresh.has(key));
  return new Map(uncounted.map(([key, by]) => [idOf(key, labelIds), by]));
}

type Columns = readonly (readonly unknown[])[];

const columnsOf = (held: readonly Held[], labelIds: ReadonlyMap<string, number>): Columns => [
  held.map(({ vendor }) => vendor.serial),
  held.map(({ listing }) => listing.serial),
  held.map(({ listing }) => listing.itemId),
  held.map(({ listing }) => listing.hue),
  held.map(({ listing }) => listing.amount),
  held.map(({ listing }) => listing.price),
  held.map(({ listing }) => listing.child),
  held.map(({ listing }) => idOf(listing.label.key, labelIds)),
];

function idOf(key: string, labelIds: ReadonlyMap<string, number>): number {
  const id = labelIds.get(key);
  if (id === undefined) throw new Error(`label ${key} was not stored`);
  return id;
}

const given = `unnest($1::integer[], $2::integer[], $3::integer[], $4::integer[], $5::integer[],
  $6::integer[], $7::boolean[], $8::integer[]`;
const names = "vendor_serial, serial, item_id, hue, amount, price, child, label_id";

async function addListings(
  added: readonly Held[],
  columns: Columns,
  { placeIds, at }: References,
  sql: Sql,
): Promise<void> {
  if (added.length === 0) return;
  await sql.query({
    name: "market add",
    text: `insert into listings (${names}, place_id, search_name, updated_at)
           select ${names}, place_id, search_name, $10::timestamptz
           from ${given}, $9::integer[]) as given (${names}, place_id)
           join listing_names using (label_id)`,
    values: [...columns, added.map(({ vendor }) => placeIds.get(vendor.serial)), at],
  });
}

async function alterListings(columns: Columns, { at }: References, sql: Sql): Promise<void> {
  if (columns[0]?.length === 0) return;
  await sql.query({
    name: "market alter",
    text: `update listings set item_id = given.item_id, hue = given.hue, amount = given.amount,
             price = given.price, child = given.child, label_id = given.label_id,
             search_name = listing_names.search_name, updated_at = $9::timestamptz
           from ${given}) as given (${names}) join listing_names using (label_id)
           where listings.vendor_serial = given.vendor_serial and listings.serial = given.serial`,
    values: [...columns, at],
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
