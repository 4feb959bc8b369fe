import { setTimeout as sleep } from "node:timers/promises";

import { countChanged, type Database, firstRow, rows } from "../../platform/db/rows.ts";
import {
  type AlteredListing,
  compareListings,
  isRelabelled,
  newsOf,
  type VendorListing,
} from "./changes.ts";
import { LabelUsage } from "./labels.ts";
import { type PlaceIds, placeIdsOf } from "./places.ts";
import { readUpsert, type VendorState, type VendorUpsert } from "./vendor-state.ts";
import {
  deleteEmptyPlaces,
  deleteVendors,
  levelSegments,
  lockFreeMarket,
  type MarketLock,
  moveListings,
  refreshVendors,
  selectListings,
  selectVendors,
  type StoredListing,
  type StoredVendor,
  writeRows,
  type WrittenListing,
  type WrittenVendor,
} from "./vendors.sql.ts";

/**
 * Writes to the market: holds its lock until the transaction ends, and counts the use of labels
 * once, when all is written. It belongs into the transaction that stores the events.
 */
export async function writeMarket<T>(
  database: Database,
  work: (writer: MarketWriter) => Promise<T>,
): Promise<T> {
  const lock = await lockMarket(database);
  const usage = new LabelUsage(database);
  const result = await work(new MarketWriter(database, usage, lock));
  await usage.save();
  await rows(database, levelSegments);
  return result;
}

/** Short beside a rename of the whole market, which is the longest that the lock is held. */
const askAgainMs = 50;

/**
 * Waits for the market's other writers, and keeps them out until the transaction ends. It asks
 * again and again, because a statement that waited would be taken for a dead connection.
 */
export async function lockMarket(database: Database): Promise<MarketLock> {
  for (;;) {
    const held = await firstRow<MarketLock>(database, lockFreeMarket);
    if (held) return held;
    await sleep(askAgainMs);
  }
}

/** The one that may write to the market at this moment. */
export class MarketWriter {
  readonly #database: Database;
  readonly #usage: LabelUsage;
  /** The instant that everything written now bears. */
  readonly #at: string;
  readonly #notesNews: boolean;

  constructor(database: Database, usage: LabelUsage, { at, notesNews }: MarketLock) {
    this.#database = database;
    this.#usage = usage;
    this.#at = at;
    this.#notesNews = notesNews;
  }

  /**
   * Replaces vendors by their upserts, each whole, in their order. What is not for sale, and all of
   * a hidden vendor, is as if absent.
   * @returns for each upsert whether it said anything new
   */
  async upsert(upserts: readonly VendorUpsert[]): Promise<boolean[]> {
    const states = upserts.map(readUpsert);
    const last = [...new Map(states.map((state) => [state.serial, state])).values()];
    const serials = serialsOf(last);
    const stored = await rows<StoredVendor>(this.#database, selectVendors, [serials]);
    const fingerprints = new Map(stored.map(({ serial, fingerprint }) => [serial, fingerprint]));
    const isStored = ({ serial, fingerprint }: VendorState): boolean =>
      fingerprints.get(serial) === fingerprint;
    const same = serialsOf(last.filter(isStored));
    if (same.length > 0) await countChanged(this.#database, refreshVendors, [same, this.#at]);
    const others = last.filter((state) => !isStored(state));
    const replaced = new Set(serialsOf(others));
    const before = stored.filter((row) => row.listed && replaced.has(row.serial));
    const placeIds = await this.#write(others, before);
    const placeOf = ({ serial }: StoredVendor): number | null => placeIds.get(serial) ?? null;
    const moved = before.filter((vendor) => placeOf(vendor) !== vendor.placeId);
    if (moved.length > 0) {
      const moves = [serialsOf(moved), moved.map(placeOf)];
      await countChanged(this.#database, moveListings, moves);
      await this.#leave(moved);
    }
    return states.map(({ serial, fingerprint }) => {
      const isNew = fingerprints.get(serial) !== fingerprint;
      // The next upsert of the vendor is compared with this one.
      fingerprints.set(serial, fingerprint);
      return isNew;
    });
  }

  /** Forgets vendors that were dismissed; those that are not there are passed over. */
  async remove(serials: readonly number[]): Promise<void> {
    const vendors = await rows<StoredVendor>(this.#database, selectVendors, [serials]);
    if (vendors.length === 0) return;
    const listed = vendors.filter(isListed);
    await this.#write([], listed);
    await countChanged(this.#database, deleteVendors, [serialsOf(vendors)]);
    await this.#leave(listed);
  }

  /**
   * Brings listings and vendors to what the states say; what stays the same is not touched.
   * @param before vendors as they are listed now; those without a state lose their listings
   * @returns the place of each vendor
   */
  async #write(states: readonly VendorState[], before: readonly StoredVendor[]): Promise<PlaceIds> {
    if (states.length + before.length === 0) return new Map();
    const sellers = serialsOf(before);
    const stored =
      before.length > 0 ? await rows<StoredListing>(this.#database, selectListings, [sellers]) : [];
    const changes = compareListings(states, stored);
    const { added, altered, gone } = changes;
    const placeIds = await placeIdsOf(states, before, this.#database);
    const relabelled = altered.filter(isRelabelled);
    const labelled = [...added, ...relabelled].map(({ listing }) => listing.label);
    const labelIds = await this.#usage.take(labelled);
    this.#usage.release([...relabelled.map(({ row }) => row), ...gone].map((row) => row.labelId));
    const toRow = toListingRow(labelIds, placeIds);
    const values = writeRows.valuesOf({
      gone: JSON.stringify(gone),
      altered: JSON.stringify(altered.map(toRow)),
      added: JSON.stringify(added.map(toRow)),
      vendors: JSON.stringify(states.map(toVendorRow(placeIds))),
      news: JSON.stringify(this.#notesNews ? newsOf(changes) : []),
      at: this.#at,
      moreVendors: states.filter(isListed).length - before.length,
      moreListings: added.length - gone.length,
    });
    await rows(this.#database, writeRows, values);
    return placeIds;
  }

  /** Forgets the places that these vendors left, where no other stands. */
  async #leave(vendors: readonly StoredVendor[]): Promise<void> {
    const ids = vendors.map(({ placeId }) => placeId);
    if (ids.length > 0) await countChanged(this.#database, deleteEmptyPlaces, [ids]);
  }
}

const serialsOf = (vendors: readonly { readonly serial: number }[]): number[] =>
  vendors.map(({ serial }) => serial);

const isListed = ({ listed }: { readonly listed: boolean }): boolean => listed;

/** The row of a listing; one that was not labelled anew keeps its label. */
const toListingRow =
  (labelIds: ReadonlyMap<string, number>, placeIds: PlaceIds) =>
  ({ vendor, listing, ...altered }: VendorListing | AlteredListing): WrittenListing => {
    const { label, ...columns } = listing;
    const kept = "row" in altered ? altered.row.labelId : 0;
    return {
      ...columns,
      vendorSerial: vendor.serial,
      labelId: labelIds.get(label.key) ?? kept,
      placeId: placeIds.get(vendor.serial) ?? null,
    };
  };

const toVendorRow =
  (placeIds: PlaceIds) =>
  ({ listings, location, ownerKey: _kept, ...columns }: VendorState): WrittenVendor => ({
    ...nowhere,
    ...columns,
    ...location,
    placeId: placeIds.get(columns.serial) ?? null,
    count: listings.size,
  });

const nowhere = { map: null, region: null, x: null, y: null, z: null, house: null };
