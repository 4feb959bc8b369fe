import type { Sql } from "../../db/sql.ts";
import { compareListings } from "./changes.ts";
import { type Borne, countBorne } from "./labels.ts";
import { dropEmptyPlaces, placeIdsOf } from "./places.ts";
import { holdMarket, readStoredListings, readStoredVendors, type StoredVendor } from "./stored.ts";
import { readUpsert, type VendorState, type VendorUpsert } from "./vendor-state.ts";
import { moveListings, refreshVendors, writeMarket } from "./write.ts";

/**
 * Replaces vendors by their upserts, each whole, in their order. What is not for sale, and all of
 * a hidden vendor, is as if absent. It belongs into the transaction that stores the events.
 * @returns for each upsert whether it said anything new
 */
export async function upsertVendors(
  upserts: readonly VendorUpsert[],
  sql: Sql,
): Promise<boolean[]> {
  if (upserts.length === 0) return [];
  const states = upserts.map(readUpsert);
  const { saysNew, borne } = await storeStates(states, await holdMarket(sql), sql);
  await countBorne(borne, sql);
  return saysNew;
}

export interface StoredStates {
  /** For each state whether it said anything new. */
  readonly saysNew: boolean[];
  /** What the caller must still count, once for all that it stores. */
  readonly borne: Borne;
}

/** The same for whoever holds the market already. @param at the instant of this writing */
export async function storeStates(
  states: readonly VendorState[],
  at: string,
  sql: Sql,
): Promise<StoredStates> {
  const last = new Map(states.map((state) => [state.serial, state]));
  const rows = await readStoredVendors([...last.keys()], sql);
  const stored = new Map(rows.map((row) => [row.serial, row]));
  const isStored = ({ serial, fingerprint }: VendorState): boolean =>
    stored.get(serial)?.fingerprint === fingerprint;
  await refreshVendors([...last.values()].filter(isStored), at, sql);
  const others = [...last.values()].filter((state) => !isStored(state));
  const borne = await replaceVendors(others, { stored, at }, sql);
  return { saysNew: newsOf(states, rows), borne };
}

/** An upsert is compared with the one before it, the first of a vendor with what is stored. */
function newsOf(states: readonly VendorState[], stored: readonly StoredVendor[]): boolean[] {
  const known = new Map(stored.map(({ serial, fingerprint }) => [serial, fingerprint]));
  return states.map(({ serial, fingerprint }) => {
    const isNew = known.get(serial) !== fingerprint;
    known.set(serial, fingerprint);
    return isNew;
  });
}

interface Before {
  readonly stored: ReadonlyMap<number, StoredVendor>;
  readonly at: string;
}

async function replaceVendors(
  states: readonly VendorState[],
  { stored, at }: Before,
  sql: Sql,
): Promise<Borne> {
  if (states.length === 0) return new Map();
  const before = states.flatMap(({ serial }) => stored.get(serial) ?? []).filter(isListed);
  const changes = compareListings(states, await readStoredListings(before, sql));
  const placeIds = await placeIdsOf(states, before, sql);
  const growth = states.filter(isListed).length - before.length;
  const borne = await writeMarket({ changes, states, growth, placeIds, at }, sql);
  const moved = before.filter(({ serial, placeId }) => placeIds.get(serial) !== placeId);
  await moveListings(moved, { placeIds }, sql);
  await dropEmptyPlaces(moved, sql);
  return borne;
}

const isListed = ({ listed }: { readonly listed: boolean }): boolean => listed;
