import type { Sql } from "../../db/sql.ts";
import { serialNumber } from "../serial.ts";
import { addBorne, countBorne } from "./labels.ts";
import { forgetVendors } from "./remove.ts";
import { holdMarket } from "./stored.ts";
import { storeStates } from "./upsert.ts";
import { readUpsert, type VendorUpsert } from "./vendor-state.ts";

/** Vendors that are compared and written at once: some thousand listings. */
const sliceSize = 200;

/** So many vendors that moved at once make the planner's statistics tell of another market. */
const analyzeFrom = 1_000;

export interface MarketSwap {
  /** Vendors of which the snapshot said something new. */
  readonly changed: number;
  /** Vendors that the snapshot lacked. */
  readonly removed: number;
}

/**
 * Makes the market what a whole snapshot says: vendors it lacks are gone. Vendors that live events
 * touched since the snapshot began stay as the events left them. Only what differs is written,
 * and rows may come page by page.
 * @param touched serials in their one spelling
 */
export async function swapMarket(
  rows: Iterable<VendorUpsert> | AsyncIterable<VendorUpsert>,
  touched: ReadonlySet<string>,
  sql: Sql,
): Promise<MarketSwap> {
  const at = await holdMarket(sql);
  const kept = new Set([...touched].map(serialNumber));
  // Counted once at the end: a common name comes in nearly every slice.
  const borne = new Map<number, number>();
  let changed = 0;
  for await (const slice of slicesOf(rows)) {
    const untouched = slice.filter(({ vendor }) => !touched.has(vendor.serial)).map(readUpsert);
    for (const { serial } of untouched) kept.add(serial);
    const stored = await storeStates(untouched, at, sql);
    addBorne(borne, stored.borne);
    changed += stored.saysNew.filter(Boolean).length;
  }
  const others = await readOthers(kept, sql);
  for (let from = 0; from < others.length; from += sliceSize) {
    addBorne(borne, await forgetVendors(others.slice(from, from + sliceSize), at, sql));
  }
  await countBorne(borne, sql);
  const removed = others.length;
  if (changed + removed >= analyzeFrom) {
    await sql.query("analyze vendors, listings, listing_labels, listing_names");
  }
  return { changed, removed };
}

async function* slicesOf(
  rows: Iterable<VendorUpsert> | AsyncIterable<VendorUpsert>,
): AsyncGenerator<VendorUpsert[]> {
  let slice: VendorUpsert[] = [];
  for await (const row of rows) {
    slice.push(row);
    if (slice.length < sliceSize) continue;
    yield slice;
    slice = [];
  }
  yield slice;
}

/** Serials of the vendors that are not among these. */
async function readOthers(kept: ReadonlySet<number>, sql: Sql): Promise<number[]> {
  const { rows } = await sql.query<{ serial: number }>("select serial from vendors");
  return rows.map(({ serial }) => serial).filter((serial) => !kept.has(serial));
}
