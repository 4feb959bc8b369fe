import type { Sql } from "../../db/sql.ts";
import { serialNumber } from "../serial.ts";
import { compareListings } from "./changes.ts";
import { type Borne, countBorne } from "./labels.ts";
import { dropEmptyPlaces } from "./places.ts";
import { holdMarket, readStoredListings, readStoredVendors } from "./stored.ts";
import { writeMarket } from "./write.ts";

/**
 * Forgets vendors that were dismissed; those that are not there are passed over.
 * It belongs into the transaction that stores the events.
 */
export async function removeVendors(serials: readonly string[], sql: Sql): Promise<void> {
  if (serials.length === 0) return;
  const at = await holdMarket(sql);
  await countBorne(await forgetVendors(serials.map(serialNumber), at, sql), sql);
}

/**
 * The same for whoever holds the market already.
 * @param at the instant of this writing
 * @returns what the caller must still count, once for all that it forgets
 */
export async function forgetVendors(
  serials: readonly number[],
  at: string,
  sql: Sql,
): Promise<Borne> {
  const vendors = await readStoredVendors(serials, sql);
  if (vendors.length === 0) return new Map();
  const listed = vendors.filter((vendor) => vendor.listed);
  const listings = await readStoredListings(listed, sql);
  const changes = compareListings([], listings);
  const growth = -listed.length;
  const borne = await writeMarket({ changes, states: [], growth, placeIds: new Map(), at }, sql);
  await sql.query("delete from vendors where serial = any($1::integer[])", [
    vendors.map(({ serial }) => serial),
  ]);
  await dropEmptyPlaces(listed, sql);
  return borne;
}
