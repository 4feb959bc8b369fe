import type { Sql } from "../../db/sql.ts";
import type { Place } from "./places.ts";

/** A vendor as it is stored, as far as writing must know it. */
export interface StoredVendor extends Place {
  readonly serial: number;
  readonly fingerprint: string;
  readonly listed: boolean;
  readonly placeId: number | null;
  readonly listings: readonly StoredListing[];
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

/** One row a listing; one with nulls for a vendor whose listings were not read. */
interface Row extends Omit<StoredVendor, "listings"> {
  readonly vendorSerial: number | null;
  readonly itemSerial: number;
  readonly itemId: number;
  readonly hue: number;
  readonly amount: number;
  readonly price: number;
  readonly child: boolean;
  readonly labelId: number;
  readonly labelKey: string;
}

/**
 * What is stored of these vendors, by serial.
 * @param expected their serials, each with the fingerprint that spares reading its listings
 */
export async function readStored(
  expected: ReadonlyMap<number, string | null>,
  sql: Sql,
): Promise<ReadonlyMap<number, StoredVendor>> {
  const { rows } = await sql.query<Row>({
    name: "market stored",
    text: `
      select vendor.serial, replace(vendor.fingerprint::text, '-', '') as fingerprint, listed,
        vendor.place_id as "placeId", map, region,
        vendor_serial as "vendorSerial", listing.serial as "itemSerial", item_id as "itemId", hue,
        amount, price, child, label_id as "labelId", replace(label.key::text, '-', '') as "labelKey"
      from unnest($1::integer[], $2::uuid[]) as expected (serial, fingerprint)
      join vendors vendor using (serial)
      left join listings listing on vendor_serial = vendor.serial
        and vendor.fingerprint is distinct from expected.fingerprint
      left join listing_labels label on label.id = label_id`,
    values: [[...expected.keys()], [...expected.values()]],
  });
  const bySerial = Map.groupBy(rows, ({ serial }) => serial);
  return new Map([...bySerial].map(([serial, group]) => [serial, vendorOf(group)]));
}

function vendorOf(rows: readonly Row[]): StoredVendor {
  const { serial, fingerprint, listed, placeId, map, region } = rows[0] as Row;
  const listings = rows.flatMap(({ vendorSerial, itemSerial, ...row }) =>
    vendorSerial === null ? [] : [{ ...row, vendorSerial, serial: itemSerial }],
  );
  return { serial, fingerprint, listed, placeId, map, region, listings };
}
