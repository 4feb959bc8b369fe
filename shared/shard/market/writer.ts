import { setTimeout as sleep } from "node:timers/promises";

import { executeStatement, type Database, firstRow, rows } from "../../platform/db/rows.ts";
import {
  compareListings,
  hasNewLabel,
  selectSearchableChanges,
  type VendorListing,
} from "./changes.ts";
import { LabelUsage } from "./labels.ts";
import { toVendorState, type VendorState, type VendorUpsert } from "./vendor-state.ts";
import {
  deleteEmptyPlacesSql,
  deleteVendorsSql,
  balanceSegmentsSql,
  tryLockMarketSql,
  type MarketLock,
  moveListingsSql,
  touchVendorsSql,
  selectListingsSql,
  selectVendorsSql,
  type StoredListing,
  type StoredPlace,
  storePlacesSql,
  type StoredVendor,
  writeMarketSql,
  type ListingRowInput,
} from "./vendors.sql.ts";

/**
 * Runs writes under the market's lock, which is held until the transaction ends, and then stores how many
 * listings use each label. Call it in the transaction that stores the events. Segments that the writes make too
 * long or too short remain until the next call: they slow down searches a little, but a scan of all segments
 * would slow down each write.
 */
export async function withMarketWriter<T>(
  database: Database,
  work: (writer: MarketWriter) => Promise<T>,
): Promise<T> {
  const lock = await lockMarket(database);
  if (lock.segmentsUneven) await rows(database, balanceSegmentsSql);
  const usage = new LabelUsage(database);
  const result = await work(new MarketWriter(database, usage, lock));
  await usage.save();
  return result;
}

/** The pause between two attempts, short compared with the longest use of the lock: renaming all labels. */
const lockRetryMs = 50;

/** Locks the market for the transaction. It polls, because one long wait would look like a dead connection. */
export async function lockMarket(database: Database): Promise<MarketLock> {
  for (;;) {
    const held = await firstRow<MarketLock>(database, tryLockMarketSql);
    if (held) return held;
    await sleep(lockRetryMs);
  }
}

export class MarketWriter {
  readonly #database: Database;
  readonly #usage: LabelUsage;
  readonly #at: string;
  readonly #notesNews: boolean;

  constructor(database: Database, usage: LabelUsage, { at, notesNews }: MarketLock) {
    this.#database = database;
    this.#usage = usage;
    this.#at = at;
    this.#notesNews = notesNews;
  }

  /**
   * Replaces vendors with their upserts, in order. Items that are not for sale and hidden vendors count
   * as absent.
   * @returns for each upsert, true if it changed anything
   */
  async upsert(upserts: readonly VendorUpsert[]): Promise<boolean[]> {
    const states = upserts.map(toVendorState);
    const last = new Map(states.map((state) => [state.row.serial, state]));
    const stored = await rows<StoredVendor>(this.#database, selectVendorsSql, [[...last.keys()]]);
    const fingerprints = new Map(stored.map(({ serial, fingerprint }) => [serial, fingerprint]));
    const isSame = ({ serial }: StoredVendor): boolean =>
      last.get(serial)?.row.fingerprint === fingerprints.get(serial);
    const same = serialsOf(stored.filter(isSame));
    if (same.length > 0) await executeStatement(this.#database, touchVendorsSql, [same, this.#at]);
    for (const serial of same) last.delete(serial);
    const before = stored.filter((vendor) => isListed(vendor) && last.has(vendor.serial));
    const placeIds = await this.#write([...last.values()], before);
    const placeOf = ({ serial }: StoredVendor): number | null => placeIds.get(serial) ?? null;
    const moved = before.filter((vendor) => placeOf(vendor) !== vendor.placeId);
    if (moved.length > 0) {
      const moves = [serialsOf(moved), moved.map(placeOf)];
      await executeStatement(this.#database, moveListingsSql, moves);
      await this.#leave(moved);
    }
    return states.map(({ row: { serial, fingerprint } }) => {
      const isNew = fingerprints.get(serial) !== fingerprint;
      // A later upsert of the same vendor in this list is compared with this upsert.
      fingerprints.set(serial, fingerprint);
      return isNew;
    });
  }

  /** Removes dismissed vendors; unknown serials are ignored. */
  async remove(serials: readonly number[]): Promise<void> {
    const vendors = await rows<StoredVendor>(this.#database, selectVendorsSql, [serials]);
    if (vendors.length === 0) return;
    const listed = vendors.filter(isListed);
    await this.#write([], listed);
    await executeStatement(this.#database, deleteVendorsSql, [serialsOf(vendors)]);
    await this.#leave(listed);
  }

  /**
   * Writes the differences between the states and the stored listings and vendors.
   * @param before the listed vendors; vendors without a new state lose their listings
   * @returns the place of each vendor
   */
  async #write(states: readonly VendorState[], before: readonly StoredVendor[]): Promise<PlaceIds> {
    if (states.length + before.length === 0) return new Map();
    const sellers = serialsOf(before);
    const stored =
      before.length > 0
        ? await rows<StoredListing>(this.#database, selectListingsSql, [sellers])
        : [];
    const changes = compareListings(states, stored);
    const { added, altered, gone } = changes;
    const placeIds = await storePlaces(states, before, this.#database);
    const relabelled = altered.filter(hasNewLabel);
    const labelled = [...added, ...relabelled].map(({ listing }) => listing.label);
    const labelIds = await this.#usage.take(labelled);
    this.#usage.release([...relabelled.map(({ row }) => row), ...gone].map((row) => row.labelId));
    const toRow = toListingRow(labelIds, placeIds);
    const values = writeMarketSql.valuesOf({
      gone: JSON.stringify(gone),
      altered: JSON.stringify(altered.map(toRow)),
      added: JSON.stringify(added.map(toRow)),
      vendors: JSON.stringify(
        states.map(({ row }) => ({ ...row, placeId: placeIds.get(row.serial) ?? null })),
      ),
      news: JSON.stringify(this.#notesNews ? selectSearchableChanges(changes) : []),
      at: this.#at,
      moreVendors: states.filter(({ row }) => row.listed).length - before.length,
      moreListings: added.length - gone.length,
    });
    await rows(this.#database, writeMarketSql, values);
    return placeIds;
  }

  /** Deletes the places where these vendors were stored, except places that a vendor still uses. */
  async #leave(vendors: readonly StoredVendor[]): Promise<void> {
    const ids = vendors.map(({ placeId }) => placeId);
    if (ids.length > 0) await executeStatement(this.#database, deleteEmptyPlacesSql, [ids]);
  }
}

const serialsOf = (vendors: readonly { readonly serial: number }[]): number[] =>
  vendors.map(({ serial }) => serial);

const isListed = ({ listed }: { readonly listed: boolean }): boolean => listed;

/** The id of each vendor's place, by the serial of the vendor. */
type PlaceIds = ReadonlyMap<number, number | null>;

/** Returns the places of vendors and stores new ones. @param storedVendors vendors whose place is stored */
async function storePlaces(
  states: readonly VendorState[],
  storedVendors: readonly StoredVendor[],
  database: Database,
): Promise<PlaceIds> {
  const ids = new Map(
    storedVendors.flatMap((row) => (row.placeId ? [[keyOf(row), row.placeId]] : [])),
  );
  const located = states.flatMap(({ hasPlace, row }) => (hasPlace ? [row] : []));
  const unknown = located.filter((row) => !ids.has(keyOf(row)));
  if (unknown.length > 0) {
    const columns = [
      unknown.map(({ map = null }) => map),
      unknown.map(({ region = null }) => region),
    ];
    const stored = await rows<StoredPlace>(database, storePlacesSql, columns);
    for (const place of stored) ids.set(keyOf(place), place.id);
  }
  return new Map(located.map((row) => [row.serial, ids.get(keyOf(row)) ?? null]));
}

const keyOf = ({ map, region }: VendorState["row"] | StoredVendor | StoredPlace): string =>
  JSON.stringify([map ?? null, region ?? null]);

/** Converts a listing to its row. A changed listing without a new label keeps its stored label. */
const toListingRow =
  (labelIds: ReadonlyMap<string, number>, placeIds: PlaceIds) =>
  ({ vendor, listing, row }: VendorListing): ListingRowInput => {
    const { label, ...columns } = listing;
    return {
      ...columns,
      vendorSerial: vendor.row.serial,
      labelId: labelIds.get(label.key) ?? row?.labelId ?? 0,
      placeId: placeIds.get(vendor.row.serial) ?? null,
    };
  };
