import type { Sql } from "../../db/sql.ts";
import { compareListings } from "./changes.ts";
import { dropEmptyPlaces } from "./places.ts";
import { serialNumber } from "./serial-number.ts";
import { holdMarket, readStoredListings, readStoredVendors } from "./stored.ts";
import { writeListings } from "./write-listings.ts";
import { countMarket, deleteVendors } from "./write-vendors.ts";

/**
 * Forgets vendors that were dismissed; those that are not there are passed over.
 * It belongs into the transaction that stores the events.
 */
export async function removeVendors(serials: readonly string[], sql: Sql): Promise<void> {
  if (serials.length === 0) return;
  const at = await holdMarket(sql);
  await forgetVendors(serials.map(serialNumber), at, sql);
}

/** The same for whoever holds the market already. @returns how many there were */
export async function forgetVendors(
  serials: readonly number[],
  at: string,
  sql: Sql,
): Promise<number> {
  const stored = [...(await readStoredVendors(serials, sql)).values()];
  if (stored.length === 0) return 0;
  const listed = stored.filter((vendor) => vendor.listed);
  const listings = await readStoredListings(
    listed.map(({ serial }) => serial),
    sql,
  );
  await writeListings(compareListings([], listings), { placeIds: new Map(), at }, sql);
  await deleteVendors(stored, sql);
  await dropEmptyPlaces(listed, sql);
  await countMarket({ vendors: -listed.length, items: -listings.length }, sql);
  return stored.length;
}
