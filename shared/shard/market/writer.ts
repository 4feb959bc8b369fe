import type { Database } from "../../platform/db/rows.ts";
import {
  type AlteredListing,
  compareListings,
  isRelabelled,
  newsOf,
  type VendorListing,
} from "./changes.ts";
import { LabelUsage } from "./labels.ts";
import { deleteEmptyPlaces, type PlaceIds, placeIdsOf } from "./places.ts";
import { readUpsert, type VendorState, type VendorUpsert } from "./vendor-state.ts";
import {
  deleteVendors,
  levelSegments,
  lockMarket,
  type MarketLock,
  moveListings,
  readListings,
  readVendors,
  refreshVendors,
  type StoredVendor,
  writeRows,
  type WrittenListing,
  type WrittenVendor,
} from "./vendors-sql.ts";

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
  await levelSegments(database);
  return result;
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
    const rows = await readVendors(serialsOf(last), this.#database);
    const stored = new Map(rows.map((row) => [row.serial, row]));
    const isStored = ({ serial, fingerprint }: VendorState): boolean =>
      stored.get(serial)?.fingerprint === fingerprint;
    await refreshVendors(serialsOf(last.filter(isStored)), this.#at, this.#database);
    const others = last.filter((state) => !isStored(state));
    const before = others.flatMap(({ serial }) => stored.get(serial) ?? []).filter(isListed);
    const placeIds = await this.#write(others, before);
    const placeOf = ({ serial }: StoredVendor): number | null => placeIds.get(serial) ?? null;
    const moved = before.filter((vendor) => placeOf(vendor) !== vendor.placeId);
    const moves = moved.map((vendor) => ({ serial: vendor.serial, placeId: placeOf(vendor) }));
    await moveListings(moves, this.#database);
    await this.#leave(moved);
    return areNews(states, rows);
  }

  /** Forgets vendors that were dismissed; those that are not there are passed over. */
  async remove(serials: readonly number[]): Promise<void> {
    const vendors = await readVendors(serials, this.#database);
    if (vendors.length === 0) return;
    const listed = vendors.filter(isListed);
    await this.#write([], listed);
    await deleteVendors(serialsOf(vendors), this.#database);
    await this.#leave(listed);
  }

  /**
   * Brings listings and vendors to what the states say; what stays the same is not touched.
   * @param before vendors as they are listed now; those without a state lose their listings
   * @returns the place of each vendor
   */
  async #write(states: readonly VendorState[], before: readonly StoredVendor[]): Promise<PlaceIds> {
    if (states.length + before.length === 0) return new Map();
    const stored = await readListings(before, this.#database);
    const changes = compareListings(states, stored);
    const { added, altered, gone } = changes;
    const placeIds = await placeIdsOf(states, before, this.#database);
    const relabelled = altered.filter(isRelabelled);
    const labelled = [...added, ...relabelled].map(({ listing }) => listing.label);
    const labelIds = await this.#usage.take(labelled);
    this.#usage.release([...relabelled.map(({ row }) => row), ...gone].map((row) => row.labelId));
    const toRow = toListingRow(labelIds, placeIds);
    const rows = {
      gone,
      altered: altered.map(toRow),
      added: added.map(toRow),
      vendors: states.map(toVendorRow(placeIds)),
      news: this.#notesNews ? newsOf(changes) : [],
    };
    const growth = states.filter(isListed).length - before.length;
    await writeRows(rows, this.#at, growth, this.#database);
    return placeIds;
  }

  /** Forgets the places that these vendors left, where no other stands. */
  #leave(vendors: readonly StoredVendor[]): Promise<void> {
    const ids = vendors.map(({ placeId }) => placeId);
    return deleteEmptyPlaces(ids, this.#database);
  }
}

const serialsOf = (vendors: readonly { readonly serial: number }[]): number[] =>
  vendors.map(({ serial }) => serial);

const isListed = ({ listed }: { readonly listed: boolean }): boolean => listed;

/** An upsert is compared with the one before it, the first of a vendor with what is stored. */
function areNews(states: readonly VendorState[], stored: readonly StoredVendor[]): boolean[] {
  const known = new Map(stored.map(({ serial, fingerprint }) => [serial, fingerprint]));
  return states.map(({ serial, fingerprint }) => {
    const isNew = known.get(serial) !== fingerprint;
    known.set(serial, fingerprint);
    return isNew;
  });
}

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
