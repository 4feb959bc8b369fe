import type { Vendor } from "../../../models/market/vendor.ts";
import { parseSerialNumber } from "../../platform/bridge/serial.ts";
import {
  analyzeTables,
  executeStatement,
  type Database,
  isNeverAnalyzed,
  rows,
} from "../../platform/db/rows.ts";
import type { VendorUpsert } from "./vendor-state.ts";
import {
  balanceSegmentsSql,
  pauseCountsSql,
  recordSnapshotSql,
  recountListingsSql,
} from "./vendors.sql.ts";
import { withMarketWriter } from "./writer.ts";

/** Vendors to compare and write at once: a few thousand listings. */
const sliceSize = 200;

/** Number of changed vendors that makes the planner's statistics wrong. */
const analyzeThreshold = 50;

export interface MarketReplaceResult {
  /** Vendors that the snapshot changed. */
  readonly changed: number;
  /** Vendors that are not in the snapshot. */
  readonly removed: number;
}

/**
 * Replaces the market with a complete snapshot, which may arrive page by page, and removes vendors that are not
 * in it. Vendors that live events changed since the snapshot began stay unchanged. Only differences are written.
 * @param changedSerials the serials of the vendors that live events changed, in canonical form
 */
export async function replaceMarket(
  upserts: Iterable<VendorUpsert> | AsyncIterable<VendorUpsert>,
  changedSerials: ReadonlySet<string>,
  database: Database,
): Promise<MarketReplaceResult> {
  const keptSerials = new Set([...changedSerials].map(parseSerialNumber));
  const swap = await withMarketWriter(database, async (writer) => {
    // To count all listings of an empty market at the end costs less than to count each slice.
    const paused = (await executeStatement(database, pauseCountsSql)) > 0;
    let changed = 0;
    for await (const slice of slicesOf(upserts)) {
      const untouched = slice.filter(({ vendor }) => !changedSerials.has(vendor.serial));
      for (const { vendor } of untouched) keptSerials.add(parseSerialNumber(vendor.serial));
      changed += (await writer.upsert(untouched)).filter(Boolean).length;
    }
    const stored = await rows<Pick<Vendor, "serial">>(database, "select serial from vendors");
    const others = stored.flatMap(({ serial }) => (keptSerials.has(serial) ? [] : [serial]));
    for (let from = 0; from < others.length; from += sliceSize) {
      await writer.remove(others.slice(from, from + sliceSize));
    }
    await executeStatement(database, recordSnapshotSql);
    await rows(database, paused ? recountListingsSql : balanceSegmentsSql);
    return { changed, removed: others.length };
  });
  if (swap.changed + swap.removed >= analyzeThreshold) await analyzeMarket(database);
  return swap;
}

/**
 * Updates the planner's statistics after events about many vendors if the market has none yet. Autovacuum updates
 * existing statistics, so that a busy market is not analyzed with each batch of events.
 */
export async function analyzeNewMarket(changedVendors: number, database: Database): Promise<void> {
  if (changedVendors < analyzeThreshold || !(await isNeverAnalyzed("listings", database))) return;
  await analyzeMarket(database);
}

const analyzeMarket = (database: Database): Promise<void> =>
  analyzeTables(
    [
      "places",
      "vendors",
      "listings",
      "listing_labels",
      "listing_names",
      "listing_counts",
      "listing_segments",
    ],
    database,
  );

async function* slicesOf(
  upserts: Iterable<VendorUpsert> | AsyncIterable<VendorUpsert>,
): AsyncGenerator<VendorUpsert[]> {
  let slice: VendorUpsert[] = [];
  for await (const upsert of upserts) {
    slice.push(upsert);
    if (slice.length < sliceSize) continue;
    yield slice;
    slice = [];
  }
  yield slice;
}
