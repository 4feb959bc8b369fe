import type { Sql } from "../../db/sql.ts";

/** A vendor's row as far as writing must know it. */
export interface StoredVendor {
  readonly serial: number;
  readonly fingerprint: string;
  readonly listed: boolean;
  readonly placeId: number | null;
  readonly map: string | null;
  readonly region: string | null;
}

export interface StoredListing {
  readonly vendorSerial: number;
  readonly serial: number;
  readonly itemId: number;
  readonly hue: number;
  readonly amount: number;
  readonly price: number;
  readonly child: boolean;
  readonly labelId: number;
  readonly labelKey: string;
}

/**
 * Waits for whoever writes to the market, and keeps others from it until the transaction ends.
 * @returns the instant that everything written now bears, as text, since a Date would round it
 */
export async function holdMarket(sql: Sql): Promise<string> {
  const { rows } = await sql.query<{ at: string }>({
    name: "market hold",
    text: "select clock_timestamp()::text as at from market_meta for update",
  });
  return rows[0]?.at ?? "now";
}

/** The stored rows of these vendors, by serial. */
export async function readStoredVendors(
  serials: readonly number[],
  sql: Sql,
): Promise<Map<number, StoredVendor>> {
  const { rows } = await sql.query<StoredVendor>({
    name: "market vendors",
    text: `select serial, replace(fingerprint::text, '-', '') as fingerprint, listed,
             place_id as "placeId", map, region
           from vendors where serial = any($1::integer[])`,
    values: [serials],
  });
  return new Map(rows.map((row) => [row.serial, row]));
}

export async function readStoredListings(
  vendorSerials: readonly number[],
  sql: Sql,
): Promise<StoredListing[]> {
  if (vendorSerials.length === 0) return [];
  const { rows } = await sql.query<StoredListing>({
    name: "market listings",
    text: `select vendor_serial as "vendorSerial", serial, item_id as "itemId", hue, amount, price,
             child, label_id as "labelId", replace(label.key::text, '-', '') as "labelKey"
           from listings join listing_labels label on label.id = label_id
           where vendor_serial = any($1::integer[])`,
    values: [vendorSerials],
  });
  return rows;
}
