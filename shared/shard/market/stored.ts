import { setTimeout as sleep } from "node:timers/promises";

import type { Sql } from "../../db/sql.ts";
import type { Place } from "./places.ts";

/** A vendor as it is stored, as far as writing must know it. */
export interface StoredVendor extends Place {
  readonly serial: number;
  readonly fingerprint: string;
  readonly listed: boolean;
  readonly placeId: number | null;
}

export interface StoredListing {
  readonly vendorSerial: number;
  readonly serial: number;
  readonly digest: string;
  readonly labelId: number;
}

/** A rename of the whole market holds it for many times as long. */
const askAgainMs = 50;

/**
 * Waits for whoever writes to the market, and keeps others from it until ingest's transaction ends.
 * It asks again and again: one statement that waited would look like a connection that is dead.
 * @returns the instant that everything written now bears, as text, since a Date would round it
 */
export async function holdMarket(sql: Sql): Promise<string> {
  for (;;) {
    const { rows } = await sql.query<{ at: string }>({
      name: "market hold",
      text: "select clock_timestamp()::text as at from market_meta for update skip locked",
    });
    if (rows[0]) return rows[0].at;
    await sleep(askAgainMs);
  }
}

/** What is stored of these vendors. */
export async function readStoredVendors(
  serials: readonly number[],
  sql: Sql,
): Promise<StoredVendor[]> {
  const { rows } = await sql.query<StoredVendor>({
    name: "market vendors",
    text: `select serial, fingerprint, listed, place_id as "placeId", map, region
           from vendors where serial = any($1::integer[])`,
    values: [serials],
  });
  return rows;
}

/** All that these vendors sell. */
export async function readStoredListings(
  vendors: readonly { readonly serial: number }[],
  sql: Sql,
): Promise<StoredListing[]> {
  if (vendors.length === 0) return [];
  const { rows } = await sql.query<StoredListing>({
    name: "market listings",
    text: `select vendor_serial as "vendorSerial", serial, digest, label_id as "labelId"
           from listings where vendor_serial = any($1::integer[])`,
    values: [vendors.map(({ serial }) => serial)],
  });
  return rows;
}
