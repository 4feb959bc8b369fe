import type { Sql } from "../../db/sql.ts";
import { compareListings } from "./changes.ts";
import { type Borne, countBorne } from "./labels.ts";
import { dropEmptyPlaces } from "./places.ts";
import { serialNumber } from "./serial-number.ts";
import { holdMarket, readStored } from "./stored.ts";
import { writeListings } from "./write-listings.ts";
import { countMarket, deleteVendors } from "./write-vendors.ts";

/**
 * Forgets vendors that were dismissed; those that are not there are passed over.
 * It belongs into the transaction that stores the events.
 */
export async function removeVendors(serials: readonly string[], sql: Sql): Promise<void> {
  if (serials.length === 0) return;
  const { borne } = await forgetVendors(serials.map(serialNumber), await holdMarket(sql), sql);
  await countBorne(borne, sql);
}

export interface ForgottenVendors {
  /** How many there were. */
  readonly count: number;
  /** What the caller must still count, once for all that it forgets. */
  readonly borne: Borne;
}

/** The same for whoever holds the market already. @param at the instant of this writing */
export async function forgetVendors(
  serials: readonly number[],
  at: string,
  sql: Sql,
): Promise<ForgottenVendors> {
  const expected = new Map(serials.map((serial) => [serial, null]));
  const stored = [...(await readStored(expected, sql)).values()];
  if (stored.length === 0) return { count: 0, borne: new Map() };
  const listed = stored.filter((vendor) => vendor.listed);
  const listings = listed.flatMap((vendor) => vendor.listings);
  const gone = compareListings([], listings);
  const borne = await writeListings(gone, { placeIds: new Map(), at }, sql);
  await deleteVendors(stored, sql);
  await dropEmptyPlaces(listed, sql);
  await countMarket({ vendors: -listed.length, items: -listings.length }, sql);
  return { count: stored.length, borne };
}
